#include "jit/checks/emulation/supervisor.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace pto::jit {
namespace {

using Milliseconds = std::int64_t;

constexpr Milliseconds kMostEnding = 10'000;  // of those that start others faster than they end

Milliseconds now() {
  timespec time = {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

timespec span_of(Milliseconds time) { return {time / 1000, time % 1000 * 1'000'000}; }

void answer(const Start& start, ProcessEnd end) {
  static_cast<void>(!::write(start.answer, &end, sizeof end));
}

// Never above what the caller has.
void limit(int what, std::int64_t most) {
  const auto resource = static_cast<__rlimit_resource_t>(what);
  rlimit value = {};
  ::getrlimit(resource, &value);
  value.rlim_max = std::min(value.rlim_max, static_cast<rlim_t>(most));
  value.rlim_cur = std::min(value.rlim_cur, value.rlim_max);
  ::setrlimit(resource, &value);
}

bool redirect(int from, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  if (file < 0) return false;
  ::dup2(file, from);
  if (file != from) ::close(file);
  return true;
}

[[noreturn]] void become_program(const Start& start) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool is_ready = ::chdir(start.folder) == 0 && redirect(0, "/dev/null", O_RDONLY) &&
                        redirect(1, kOutput, O_CREAT | O_WRONLY | O_TRUNC | O_APPEND);
  ::dup2(1, 2);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, start.limits.seconds + 1);
  limit(RLIMIT_AS, start.limits.memory_bytes);
  limit(RLIMIT_FSIZE, start.limits.file_bytes);
  if (is_ready) ::execvpe(start.arguments[0], start.arguments, start.environment);
  answer(start, {End::NotStarted, 0});
  ::_exit(1);
}

// Of a namespace: /proc shows what is in it, and what is mounted in it is gone with it.
void hide_other_processes() {
  if (::unshare(CLONE_NEWNS) != 0) return;
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

[[noreturn]] void be_first_process(const Start& start, bool is_alone) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_alone) hide_other_processes();
  const pid_t program = ::_Fork();
  if (program == 0) become_program(start);
  pid_t ended = -1;
  int status = 0;
  do ended = ::waitpid(-1, &status, 0);
  while (ended != program && (ended > 0 || errno == EINTR));
  if (ended != program)
    answer(start, {End::NotStarted, 0});
  else if (WIFSIGNALED(status))
    answer(start, {End::Killed, WTERMSIG(status)});
  else
    answer(start, {End::Exited, WEXITSTATUS(status)});
  ::_exit(0);
}

void put(const char* path, const char* text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, text, std::strlen(text)));
  ::close(file);
}

// The same user inside as outside.
void map_id(const char* path, unsigned id) {
  std::array<char, 32> line = {};
  std::snprintf(line.data(), line.size(), "%u %u 1", id, id);
  put(path, line.data());
}

// Whether the next process begins a namespace. Who may have one without a namespace of users keeps
// the files that are theirs to read.
bool begin_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWPID) == 0) return true;
  if (::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return false;
  put("/proc/self/setgroups", "deny");
  map_id("/proc/self/uid_map", user);
  map_id("/proc/self/gid_map", group);
  return true;
}

// Reaps whoever has ended but `first`, whose number stays its own.
bool is_over(pid_t first) {
  while (true) {
    siginfo_t info = {};
    const int code = ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
    if (code != 0) return errno != EINTR;
    if (info.si_pid == 0 || info.si_pid == first) return info.si_pid == first;
    ::waitpid(info.si_pid, nullptr, 0);
  }
}

void watch(pid_t first, const Start& start) {
  sigset_t news;
  sigemptyset(&news);
  for (const int signal : {SIGCHLD, SIGHUP}) sigaddset(&news, signal);
  const Milliseconds deadline = now() + start.limits.seconds * 1000;
  while (!is_over(first) && ::getppid() == start.caller) {
    const Milliseconds left = deadline - now();
    if (left <= 0) return answer(start, {End::OutOfTime, 0});
    const timespec pause = span_of(left);
    ::sigtimedwait(&news, nullptr, &pause);
  }
}

// With their groups, where a fork cannot win against the signal. Numbers are complete where a
// space follows.
void kill_children() {
  std::array<char, 4096> text = {};
  std::array<char, 64> path = {};
  const int self = ::getpid();
  std::snprintf(path.data(), path.size(), "/proc/%d/task/%d/children", self, self);
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : ::read(file, text.data(), text.size());
  if (file >= 0) ::close(file);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {
    const char digit = text[static_cast<std::size_t>(i)];
    if (digit >= '0' && digit <= '9') {
      child = child * 10 + (digit - '0');
      continue;
    }
    const pid_t group = child > 1 ? ::getpgid(child) : 0;
    if (group > 1 && group != ::getpgrp()) ::kill(-group, SIGKILL);
    if (child > 1) ::kill(child, SIGKILL);
    child = 0;
  }
}

// The first process takes its namespace along; without one, orphans are children here.
void end_all(pid_t first) {
  ::kill(-first, SIGKILL);
  ::kill(first, SIGKILL);
  const Milliseconds deadline = now() + kMostEnding;
  while (now() < deadline) {
    const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
    if (ended < 0 && errno == ECHILD) return;
    if (ended > 0) continue;
    kill_children();
    const timespec pause = span_of(1);
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace

int leave_caller(int kept) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGHUP);
  for (int signal = 1; signal < NSIG; ++signal) static_cast<void>(::signal(signal, SIG_DFL));
  const int moved = ::fcntl(kept, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close_range(0, static_cast<unsigned>(moved - 1), 0);
  ::close_range(static_cast<unsigned>(moved + 1), ~0U, 0);
  return moved;
}

void supervise(const Start& asked) {
  Start start = asked;
  start.answer = leave_caller(asked.answer);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const bool is_alone = start.most == Containment::Namespace && begin_namespace();
  ::prctl(PR_SET_DUMPABLE, 0);  // nobody takes the answer's pipe from these two
  const pid_t first = ::_Fork();
  if (first == 0) be_first_process(start, is_alone);
  if (first < 0) answer(start, {End::NotStarted, 0});
  if (first > 0) watch(first, start);
  if (first > 0) end_all(first);
  ::_exit(0);
}

}  // namespace pto::jit
