// Kernels made known to perf and to debuggers, and forgotten again.
#include "runtime/code/code_registration.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

// As debuggers read it.
extern "C" {
struct SeenEntry {
  SeenEntry* next;
  SeenEntry* previous;
  const char* image;
  std::uint64_t size;
};
struct SeenDescriptor {
  std::uint32_t version;
  std::uint32_t action;
  SeenEntry* relevant;
  SeenEntry* first;
};
extern SeenDescriptor seen_descriptor __asm__("__jit_debug_descriptor");
}

namespace pto::jit::tests {
namespace {

constexpr std::array<unsigned char, 2> kStopAndReturn = {0xcc, 0xc3};
constexpr const char* kName = "cpu:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]";
constexpr ToolOptions kPerf = {.perf_map = true};
constexpr ToolOptions kGdb = {.gdb = true};
constexpr std::size_t kThreads = 4;

std::string perf_map_path() { return "/tmp/perf-" + std::to_string(::getpid()) + ".map"; }

std::vector<std::string> perf_lines() {
  std::vector<std::string> out;
  std::ifstream in(perf_map_path());
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// Whether the list holds `count` entries, well linked in both directions.
::testing::AssertionResult lists(std::size_t count) {
  std::size_t found = 0;
  const SeenEntry* previous = nullptr;
  for (const SeenEntry* entry = seen_descriptor.first; entry != nullptr; entry = entry->next) {
    if (entry->previous != previous) return ::testing::AssertionFailure() << "a wrong link back";
    if (std::memcmp(entry->image,
                    "\x7f"
                    "ELF",
                    4) != 0)
      return ::testing::AssertionFailure() << "not an ELF file";
    previous = entry;
    ++found;
  }
  if (found == count) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << found << " entries";
}

class PerfMap : public testing::Test {
 protected:
  void SetUp() override { std::remove(perf_map_path().c_str()); }
  void TearDown() override { std::remove(perf_map_path().c_str()); }
};

// Does something on each of four threads.
template <class Work>
void on_threads(Work&& work) {
  std::array<std::thread, kThreads> threads;
  for (std::thread& thread : threads) thread = std::thread(work);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(PerfMap, GetsALineForEachKernel) {
  ASSERT_TRUE(register_code(kName, kStopAndReturn.data(), kStopAndReturn.size(), kPerf));
  ASSERT_TRUE(register_code("two\nlines", kStopAndReturn.data(), 0x1f, kPerf));
  const std::vector<std::string> lines = perf_lines();
  ASSERT_EQ(lines.size(), 2u);
  std::uintptr_t address = 0;
  std::size_t size = 0;
  int name_at = 0;
  ASSERT_EQ(std::sscanf(lines[0].c_str(), "%zx %zx %n", &address, &size, &name_at), 2);
  EXPECT_EQ(address, reinterpret_cast<std::uintptr_t>(kStopAndReturn.data()));
  EXPECT_EQ(size, kStopAndReturn.size());
  EXPECT_EQ(lines[0].substr(static_cast<std::size_t>(name_at)), kName);
  EXPECT_TRUE(lines[1].ends_with(" 1f two\\x0alines")) << lines[1];
}

TEST_F(PerfMap, HasWholeLinesFromManyThreads) {
  constexpr int kEach = 50;
  on_threads([] {
    for (int i = 0; i < kEach; ++i) EXPECT_TRUE(register_code("kernel", kName, 16, kPerf));
  });
  const std::vector<std::string> lines = perf_lines();
  ASSERT_EQ(lines.size(), kThreads * kEach);
  for (const std::string& line : lines) EXPECT_EQ(line, lines[0]);
}

TEST_F(PerfMap, RefusesToFollowALinkAndSaysSo) {
  ASSERT_EQ(::symlink("/dev/null", perf_map_path().c_str()), 0);
  const Result<CodeRegistration> made = register_code(kName, kName, 16, kPerf);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error()[0].id, "perf.map");
}

TEST_F(PerfMap, FollowsTheProcessAfterAFork) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool made = register_code(kName, kName, 16, kPerf).has_value();
    const bool is_there = perf_lines().size() == 1;
    std::remove(perf_map_path().c_str());
    ::_exit(made && is_there ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(perf_lines().empty());
}

TEST_F(PerfMap, IsNotWrittenUnasked) {
  ASSERT_TRUE(register_code(kName, kName, 16, {}));
  ASSERT_TRUE(register_code(kName, kName, 16, kGdb));
  EXPECT_NE(::access(perf_map_path().c_str(), F_OK), 0);
}

TEST(DebuggerList, GrowsAndShrinks) {
  EXPECT_EQ(seen_descriptor.version, 1u);
  ASSERT_TRUE(lists(0));
  std::vector<CodeRegistration> held;
  for (int i = 0; i < 3; ++i) {
    Result<CodeRegistration> made = register_code(kName, kName, 16, kGdb);
    ASSERT_TRUE(made);
    held.push_back(std::move(*made));
  }
  EXPECT_TRUE(lists(3));
  held.erase(held.begin() + 1);  // the middle one
  EXPECT_TRUE(lists(2));
  CodeRegistration moved = std::move(held[0]);
  held.clear();
  EXPECT_TRUE(lists(1));
  moved = CodeRegistration();
  EXPECT_TRUE(lists(0));
}

TEST(DebuggerList, StaysWholeWithManyThreads) {
  on_threads([] {
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(register_code(kName, kName, 16, kGdb));
  });
  EXPECT_TRUE(lists(0));
}

// --- with a real debugger -----------------------------------------------------------------------

constexpr const char* kStopVariable = "PTOJIT_TEST_STOP_IN_KERNEL";

// What the debugged copy of this program does: stops inside a kernel that debuggers know by name.
void stop_in_kernel() {
  void* memory = ::mmap(nullptr, kStopAndReturn.size(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memcpy(memory, kStopAndReturn.data(), kStopAndReturn.size());
  ASSERT_EQ(::mprotect(memory, kStopAndReturn.size(), PROT_READ | PROT_EXEC), 0);
  const Result<CodeRegistration> made =
      register_code("kernel_under_test", memory, kStopAndReturn.size(), kGdb);
  ASSERT_TRUE(made);
  reinterpret_cast<void (*)()>(memory)();
}

std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* stream = ::popen((command + " 2>&1").c_str(), "r");
  if (stream == nullptr) return out;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), stream))
    out.append(piece.data(), count);
  ::pclose(stream);
  return out;
}

TEST(Debugger, ShowsAKernelByItsName) {
  if (std::getenv(kStopVariable) != nullptr) return stop_in_kernel();
  if (std::system("command -v gdb > /dev/null") != 0) GTEST_SKIP() << "gdb is not installed";
  std::array<char, 4096> self{};
  ASSERT_GT(::readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  const std::string shown = output_of(
      std::string("ASAN_OPTIONS=detect_leaks=0 ") + kStopVariable +
      "=1 gdb -nx -batch -iex 'set debuginfod enabled off' -ex run -ex 'info symbol $pc' --args '" +
      self.data() + "' --gtest_filter=Debugger.ShowsAKernelByItsName");
  if (shown.find("SIGTRAP") == std::string::npos)
    GTEST_SKIP() << "gdb cannot debug here: " << shown;
  EXPECT_NE(shown.find("kernel_under_test + 1 in section .text"), std::string::npos) << shown;
}

}  // namespace
}  // namespace pto::jit::tests
