// What the system would send a signal for while something is written, a pipe without a reader or a
// file at its limit, is the code of an error instead.
#pragma once

#include <csignal>
#include <ctime>

namespace pto::jit {

// `io` gives a code of errno, 0 for success. Of the calling thread alone.
template <class Io>
int without_write_signals(Io&& io) {
  sigset_t signals;
  sigset_t before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  const int code = io();
  const timespec at_once = {};
  if (code != 0) sigtimedwait(&signals, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return code;
}

}  // namespace pto::jit
