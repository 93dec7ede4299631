#include "jit/emulation/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

extern char** environ;

namespace pto::jit {
namespace {

using Clock = std::chrono::steady_clock;

void limit(int what, std::int64_t most) {
  const rlimit value = {static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &value);
}

bool redirect(int from, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  if (file < 0) return false;
  ::dup2(file, from);
  if (file != from) ::close(file);
  return true;
}

// What a process that never becomes the program says into; closed by the one that does.
class Complaint {
 public:
  Complaint() { is_open_ = ::pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) == 0; }
  ~Complaint() {
    if (!is_open_) return;
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Complaint(const Complaint&) = delete;
  Complaint& operator=(const Complaint&) = delete;
  Complaint(Complaint&&) = delete;
  Complaint& operator=(Complaint&&) = delete;

  bool is_open() const { return is_open_; }
  [[noreturn]] void make() const {
    const ssize_t ignored = ::write(ends_[1], "!", 1);
    ::_exit(ignored == 1 ? 1 : 2);
  }
  bool was_made() const {
    char byte = 0;
    return ::read(ends_[0], &byte, 1) == 1;
  }

 private:
  std::array<int, 2> ends_{};
  bool is_open_ = false;
};

struct Image {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* folder;
};

// Between fork and exec, where other threads' locks may be held for ever: system calls alone.
[[noreturn]] void become(const Image& image, const Limits& limits, const Complaint& complaint) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool is_ready = ::chdir(image.folder) == 0 && redirect(0, "/dev/null", O_RDONLY) &&
                        redirect(1, kOutput, O_CREAT | O_WRONLY | O_TRUNC | O_APPEND);
  if (!is_ready) complaint.make();
  ::dup2(1, 2);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds + 1);
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  ::execvpe(image.arguments[0], image.arguments.data(), image.environment.data());
  complaint.make();
}

// Whether the process is over by `deadline`; it stays a zombie, so that its number stays its own.
bool ends_by(pid_t child, Clock::time_point deadline) {
  std::chrono::microseconds pause(200);
  while (true) {
    siginfo_t info = {};
    const int code = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    if (code == 0 && info.si_pid == child) return true;
    if (code != 0 && errno != EINTR) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(10'000));
  }
}

ProcessEnd end_of(int status) {
  if (WIFSIGNALED(status)) return {End::Killed, WTERMSIG(status)};
  return {End::Exited, WEXITSTATUS(status)};
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

ProcessEnd run_apart(const std::vector<std::string>& command, const Scratch& folder,
                     const Limits& limits) {
  std::vector<std::string> words = command;
  const std::string path = folder.path().string();
  std::vector<std::string> variables = {"TMPDIR=" + path};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("TMPDIR=")) variables.emplace_back(*variable);
  }
  const Image image = {pointers_to(words), pointers_to(variables), path.c_str()};
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(limits.seconds);
  const Complaint complaint;
  const pid_t child = complaint.is_open() ? ::fork() : -1;
  if (child < 0) return {};
  if (child == 0) become(image, limits, complaint);
  ::setpgid(child, child);  // whoever of the two comes first
  const bool is_over = ends_by(child, deadline);
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (complaint.was_made()) return {};
  return is_over ? end_of(status) : ProcessEnd{End::OutOfTime, 0};
}

}  // namespace pto::jit
