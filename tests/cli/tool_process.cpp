#include "tests/cli/tool_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "jit/tools/tool.h"

namespace pto::jit::tests {
namespace {

// In bytes: VmRSS now, VmHWM at most so far.
std::int64_t memory_of(const std::string& what) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(what + ":")) return std::stoll(line.substr(what.size() + 1)) * 1024;
  }
  return 0;
}

[[noreturn]] void run_and_answer(const std::vector<std::string>& arguments, int answer) {
  std::ofstream("/proc/self/clear_refs") << "5";  // forgets the peak
  const std::int64_t before = memory_of("VmRSS");
  std::vector<const char*> argv = {"ptojit"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int exit = cli::run_tool(static_cast<int>(argv.size()), argv.data(), out, err);
  const std::string text = std::to_string(memory_of("VmHWM") - before) + " " + err.str();
  static_cast<void>(!::write(answer, text.data(), text.size()));
  ::_exit(exit);
}

}  // namespace

ToolProcess::ToolProcess(const std::vector<std::string>& arguments,
                         const std::function<void()>& before) {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  std::fflush(nullptr);
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    if (before) before();
    run_and_answer(arguments, ends[1]);
  }
  ::close(ends[1]);
  answer_ = ends[0];
}

ToolProcess::~ToolProcess() {
  if (child_ > 0) ::kill(child_, SIGKILL);
  if (child_ > 0) ::waitpid(child_, nullptr, 0);
  if (answer_ >= 0) ::close(answer_);
}

void ToolProcess::send(int signal) const { ::kill(child_, signal); }

ToolProcess::End ToolProcess::wait() {
  std::string text;
  std::array<char, 4096> piece = {};
  for (ssize_t got = 0; (got = ::read(answer_, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  int status = 0;
  rusage used = {};
  ::wait4(child_, &status, 0, &used);
  child_ = -1;
  End end;
  if (WIFEXITED(status)) end.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  end.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (text.empty()) return end;
  end.bytes = std::stoll(text);
  end.err = text.substr(text.find(' ') + 1);
  return end;
}

bool ToolProcess::reaches(const std::function<bool()>& condition) const {
  for (int turn = 0; turn < 3000; ++turn) {
    if (condition()) return true;
    siginfo_t info = {};
    ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == child_) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace pto::jit::tests
