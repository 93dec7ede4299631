#include "jit/checks/emulation/folder_keeper.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "jit/checks/emulation/supervisor.h"
#include "jit/checks/emulation/tree_removal.h"
#include "runtime/held_signals.h"

namespace pto::jit {
namespace {

constexpr int kMostTurns = 1000;  // while those who write to it are being ended
constexpr timespec kPause = {0, 10'000'000};
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Whether it is gone, or its name is another's by now.
bool is_removed(const char* path, int folder) {
  const bool is_empty = remove_contents(folder);
  struct stat ours = {};
  struct stat named = {};
  if (::fstat(folder, &ours) != 0 || ::lstat(path, &named) != 0) return true;
  if (ours.st_dev != named.st_dev || ours.st_ino != named.st_ino) return true;
  return is_empty && ::rmdir(path) == 0;
}

// In a new process, all signals held, where other threads' locks may be held: system calls alone.
[[noreturn]] void keep(std::string& path, int answers, pid_t owner) {
  const int answer = leave_caller(answers);
  const int code = ::mkdtemp(path.data()) != nullptr ? 0 : errno;
  static_cast<void>(!::write(answer, &code, sizeof code));
  static_cast<void>(!::write(answer, path.data(), path.size()));
  ::close(answer);
  if (code != 0) ::_exit(1);
  const int folder = ::open(path.c_str(), kFolder);
  sigset_t news;
  sigemptyset(&news);
  for (const int signal : {SIGHUP, SIGTERM}) sigaddset(&news, signal);
  while (::getppid() == owner && ::sigwaitinfo(&news, nullptr) != SIGTERM) {
  }
  for (int turn = 0; turn < kMostTurns && !is_removed(path.c_str(), folder); ++turn)
    ::nanosleep(&kPause, nullptr);
  ::_exit(0);
}

bool read_all(int pipe, void* to, std::size_t size) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::read(pipe, bytes, size);
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

int read_answer(int pipe, KeptFolder& out) {
  int code = 0;
  if (!read_all(pipe, &code, sizeof code)) return ECHILD;
  if (code != 0) return code;
  if (!read_all(pipe, out.path.data(), out.path.size())) return ECHILD;
  out.descriptor = ::open(out.path.c_str(), kFolder);
  return out.descriptor < 0 ? errno : 0;
}

void wait_for(pid_t child) {
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

int make_kept_folder(const std::string& parent, KeptFolder& out) {
  const HeldSignals held;
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  const pid_t owner = ::getpid();
  out.path = parent + "/ptojit-check-XXXXXX";
  out.keeper = ::_Fork();
  if (out.keeper == 0) keep(out.path, ends[1], owner);
  int code = out.keeper < 0 ? errno : 0;
  ::close(ends[1]);
  if (code == 0) code = read_answer(ends[0], out);
  ::close(ends[0]);
  if (code != 0 && out.keeper > 0) {
    ::kill(out.keeper, SIGTERM);
    wait_for(out.keeper);
  }
  return code;
}

void remove_kept_folder(const KeptFolder& folder) {
  ::kill(folder.keeper, SIGTERM);
  wait_for(folder.keeper);
  is_removed(folder.path.c_str(), folder.descriptor);
  ::close(folder.descriptor);
}

}  // namespace pto::jit
