// The LLVM backend behind compile: kernels from the disk when they are as they were written,
// threads, forks, and a version that counts changes of the emitted code.
#include "jit/compile/compile.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/objects/object_cache.h"
#include "jit/backends/objects/object_file.h"
#include "jit/compile/host_object.h"
#include "tests/support/conformance.h"
#include "tests/support/golden.h"
#include "tests/support/host_levels.h"
#include "tests/support/sanitized.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr CompileOptions kLlvm{.backend = Backend::Llvm};

// One of a family of small kernels.
LegalSpec some_spec(int number) {
  const std::string rows = std::to_string(1 + number % 61);
  const Result<KernelSpec> spec =
      parse("a5:mgather.row.zero dst=f32[" + rows + "x8] idx=i32[1x64|1x" + rows + "] table=f32[" +
            std::to_string(3 + number / 61) + "x8]");
  EXPECT_TRUE(spec);
  return *verify(*spec);
}

// What is wrong with a kernel of `some_spec`, or nothing.
std::string wrong_kernel(int number) {
  const LegalSpec legal = some_spec(number);
  const Result<Kernel> kernel = compile(legal.spec(), kLlvm);
  if (!kernel) return render(kernel.error());
  if (kernel->backend() != Backend::Llvm) return "another backend";
  const std::optional<Workload> load = make_workload(legal, legal.spec(), Pattern::Extreme, 7);
  const Image expected =
      run_guarded(*load, Guard::Behind, [&](const Frame& frame) { interpret(load->plan, frame); });
  return difference(*load, expected, run_guarded(*load, Guard::Behind, *kernel));
}

// Objects kept in a directory of the test's own.
class LlvmDiskCache : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("ptojit_llvm_disk_" + std::to_string(getpid()));
    fs::remove_all(root_);
    before_ = object_cache().options();
    object_cache().use({.directory = root_.string()});
    clear_cache();
    start_ = object_cache().statistics();
  }
  void TearDown() override {
    object_cache().use(before_);
    fs::remove_all(root_);
  }

  // How many kernels came from the disk since the test began.
  std::uint64_t hits() const { return object_cache().statistics().hits - start_.hits; }
  std::uint64_t writes() const { return object_cache().statistics().writes - start_.writes; }
  fs::path only_file() const { return fs::directory_iterator(root_)->path(); }

  fs::path root_;
  ObjectCacheOptions before_;
  ObjectCacheStatistics start_;
};

TEST_F(LlvmDiskCache, GivesAKernelBackToALaterProcess) {
  EXPECT_EQ(wrong_kernel(3), "");
  EXPECT_EQ(hits(), 0u);
  EXPECT_EQ(writes(), 1u);
  clear_cache();
  EXPECT_EQ(wrong_kernel(3), "");
  EXPECT_EQ(hits(), 1u);
  EXPECT_EQ(writes(), 1u);
}

TEST_F(LlvmDiskCache, KeepsLevelsApart) {
  ASSERT_TRUE(compile(some_spec(3).spec(), {Backend::Llvm, FeatureLevel::Native}));
  ASSERT_TRUE(compile(some_spec(3).spec(), {Backend::Llvm, FeatureLevel::Baseline}));
  const bool has_levels = host_levels().size() > 1 || host_features().fp16;
  EXPECT_EQ(writes(), has_levels ? 2u : 1u);
}

// A return at the kernel's start would leave memory as it is: wrong, were it ever run.
TEST_F(LlvmDiskCache, NeverRunsADamagedEntry) {
  EXPECT_EQ(wrong_kernel(3), "");
  std::ifstream in(only_file(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    for (const std::string& content : {damaged, whole.substr(0, at)}) {
      std::ofstream(only_file(), std::ios::binary | std::ios::trunc) << content;
      clear_cache();
      EXPECT_EQ(wrong_kernel(3), "") << at;
    }
  }
  EXPECT_EQ(hits(), 0u);
  EXPECT_EQ(writes(), 7u) << "made anew, and kept";
  clear_cache();
  EXPECT_EQ(wrong_kernel(3), "");
  EXPECT_EQ(hits(), 1u);
}

// In order as a file, yet no object, or one for another machine.
TEST_F(LlvmDiskCache, MakesAnewWhatCannotBeLoaded) {
  EXPECT_EQ(wrong_kernel(3), "");
  std::ifstream in(only_file(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  std::uint64_t key_bytes = 0;
  std::memcpy(&key_bytes, whole.data() + 16, sizeof key_bytes);
  const std::string key = whole.substr(32, key_bytes);
  ASSERT_EQ(only_file().filename(), object_file_name(key));
  const std::string foreign = host_features().neon ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  const Result<HostObject> other =
      emit_object(some_spec(3).spec(), {.symbol = "kernel", .triple = foreign});
  ASSERT_TRUE(other);
  for (const std::vector<std::byte>& object : {other->bytes, std::vector<std::byte>(100)}) {
    ASSERT_TRUE(write_object(only_file(), key, object));
    clear_cache();
    EXPECT_EQ(wrong_kernel(3), "");
  }
  EXPECT_EQ(hits(), 2u) << "found, but of no use";
  EXPECT_EQ(writes(), 3u);
}

TEST_F(LlvmDiskCache, ADirectoryThatCannotBeFailsNoCompile) {
  fs::create_directories(root_);
  std::ofstream(root_ / "file") << "not a directory";
  object_cache().use({.directory = (root_ / "file").string()});
  EXPECT_EQ(wrong_kernel(3), "");
  object_cache().use({.directory = "/proc/nowhere"});
  clear_cache();
  EXPECT_EQ(wrong_kernel(3), "");
}

TEST(LlvmThreads, CompileCallAndDropTogether) {
  std::vector<std::string> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 40; ++i) {
        wrong[static_cast<std::size_t>(t)] += wrong_kernel((i * 7 + t) % 30);
        if (i % 10 == t) clear_cache();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& found : wrong) EXPECT_EQ(found, "");
}

TEST(LlvmCompile, WorksInParentAndChildAfterFork) {
  if (kIsSanitized) GTEST_SKIP() << kNoForks;
  ASSERT_EQ(wrong_kernel(0), "");
  std::atomic<bool> is_over = false;
  std::thread busy([&] {  // so that the fork finds LLVM at work
    for (int i = 1000; !is_over; ++i) static_cast<void>(compile(some_spec(i % 3000).spec(), kLlvm));
  });
  for (int fork_number = 0; fork_number < 10; ++fork_number) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      bool is_right = wrong_kernel(0).empty();
      clear_cache();
      for (int i = 0; i < 5; ++i) is_right = is_right && wrong_kernel(100 + i).empty();
      _exit(is_right ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  is_over = true;
  busy.join();
  EXPECT_EQ(wrong_kernel(1), "");
}

// Objects on disk are named by the version: where the code of a spec changes, it must too. The
// golden is rewritten together with the version.
TEST(LlvmGenerator, VersionCountsEveryChangeOfTheEmittedCode) {
  const std::array machines = {
      ObjectOptions{.symbol = "kernel", .triple = "x86_64-linux-gnu", .cpu = "x86-64-v4"},
      ObjectOptions{.symbol = "kernel", .triple = "aarch64-linux-gnu", .level = FeatureLevel::Neon},
      ObjectOptions{.symbol = "kernel", .triple = "aarch64-linux-gnu", .level = FeatureLevel::Sve2},
  };
  std::string sums;
  for (const ObjectOptions& machine : machines) {
    std::string all;
    for (const ConformanceCase& entry : conformance_cases()) {
      if (!entry.legal) continue;
      const Result<std::string> text = emit_llvm_ir(*parse(entry.spec), machine);
      ASSERT_TRUE(text) << entry.spec;
      all += *text;
    }
    sums += ", code " + std::to_string(checksum(all));
  }
  EXPECT_TRUE(
      matches_golden("llvm_generator.txt",
                     "version " + std::to_string(llvm_backend::kGeneratorVersion) + sums + "\n"))
      << "code changed: count kGeneratorVersion up";
}

}  // namespace
}  // namespace pto::jit::tests
