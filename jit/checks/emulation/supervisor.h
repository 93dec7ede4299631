// Two processes between the caller and a program. The first, the watcher, ends everything when the
// program is over, its time is, or the caller is gone. The second starts the program and says how
// it ended: it is the first process of a namespace where there is one, so that the program cannot
// signal it, and nobody in the namespace outlives it. Without a namespace the watcher adopts the
// program's orphans.
#pragma once

#include <sys/types.h>

#include "jit/checks/emulation/contained_process.h"

namespace pto::jit {

struct Start {
  char* const* arguments;
  char* const* environment;
  const char* folder;
  Limits limits;
  Containment most;
  pid_t caller;
  int answer;  // a pipe: the first ProcessEnd written is the one that counts
};

// In a new process, all signals held. Other threads' locks may be held for ever there: this makes
// system calls alone.
[[noreturn]] void supervise(const Start& start);

// For a process that works for another until that is gone: no terminal, no file of the other but
// `kept`, the usual dispositions, and SIGHUP, held, when a thread of the other ends.
int leave_caller(int kept);

}  // namespace pto::jit
