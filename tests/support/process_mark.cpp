#include "tests/support/process_mark.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "MARK_OF_A_TEST";

}  // namespace

ProcessMark::ProcessMark() {
  static std::atomic<int> count = 0;
  const std::string value = std::to_string(::getpid()) + "-" + std::to_string(++count);
  ::setenv(kVariable, value.c_str(), 1);
  entry_ = std::string(kVariable) + "=" + value + '\0';
}

ProcessMark::~ProcessMark() { ::unsetenv(kVariable); }

// That of a process that has ended is empty.
std::vector<pid_t> ProcessMark::alive() const {
  std::vector<pid_t> out;
  for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
    const std::string name = process.path().filename().string();
    if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c); })) continue;
    std::ifstream in(process.path() / "environ", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find(entry_) != std::string::npos) out.push_back(std::stoi(name));
  }
  return out;
}

bool comes_true(const std::function<bool()>& condition) {
  for (int turn = 0; turn < 3000 && !condition(); ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

}  // namespace pto::jit::tests
