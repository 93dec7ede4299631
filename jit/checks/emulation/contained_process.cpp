#include "jit/checks/emulation/contained_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

#include "jit/checks/emulation/supervisor.h"
#include "runtime/held_signals.h"

extern char** environ;

namespace pto::jit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kGrace = 20;  // seconds for a watcher that was stopped, or has much to end

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_in(const std::string& folder) {
  std::vector<std::string> out = {"TMPDIR=" + folder};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("TMPDIR=")) out.emplace_back(*variable);
  }
  return out;
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

// A watcher that says nothing was killed or stopped by somebody who looked for it.
ProcessEnd end_of(pid_t watcher, int answers, std::int64_t seconds) {
  const bool is_over = ends_by(watcher, Clock::now() + std::chrono::seconds(seconds + kGrace));
  ::kill(watcher, SIGKILL);
  while (::waitpid(watcher, nullptr, 0) < 0 && errno == EINTR) {
  }
  ProcessEnd out;
  if (::read(answers, &out, sizeof out) == sizeof out) return out;
  return is_over ? ProcessEnd{End::Killed, SIGKILL} : ProcessEnd{End::OutOfTime, 0};
}

}  // namespace

ProcessEnd run_contained(const std::vector<std::string>& command, const Scratch& folder,
                         const Limits& limits, Containment most) {
  const std::string path = folder.path().string();
  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment_in(path);
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> environment = pointers_to(variables);
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {};
  const Start start = {arguments.data(), environment.data(), path.c_str(), limits, most, ::getpid(),
                       ends[1]};
  pid_t watcher = -1;
  {
    const HeldSignals held;
    watcher = ::_Fork();
    if (watcher == 0) supervise(start);
  }
  ::close(ends[1]);
  const ProcessEnd out = watcher < 0 ? ProcessEnd{} : end_of(watcher, ends[0], limits.seconds);
  ::close(ends[0]);
  return out;
}

}  // namespace pto::jit
