// Code kept in this process: it lives as long as its owner, leaves no memory behind, may be made by
// many threads, and what cannot be linked is an error value.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/llvm/loaded_code.h"
#include "tests/support/sample_size.h"
#include "tests/support/sanitized.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;

LlvmJit make_jit() {
  Result<LlvmJit> jit = LlvmJit::make(target_at(host_levels().front()));
  EXPECT_TRUE(jit) << render(jit.error());
  return std::move(*jit);
}

LegalSpec legal_spec(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << text;
  const Result<LegalSpec> legal = verify(*spec);
  EXPECT_TRUE(legal) << text << render(legal.error());
  return *legal;
}

// One of a family of small kernels.
LegalSpec some_spec(int number) {
  const std::string rows = std::to_string(1 + number % 61);
  return legal_spec("a5:mgather.row.zero dst=f32[" + rows + "x8] idx=i32[1x64|1x" + rows +
                    "] table=f32[" + std::to_string(3 + number % 7) + "x8]");
}

std::string wrong_result(const LegalSpec& legal, const LoadedCode& code) {
  const std::optional<Workload> load = make_workload(legal, legal.spec(), Pattern::Extreme, 7);
  const Image expected =
      run_guarded(*load, Guard::Behind, [&](const Frame& frame) { interpret(load->plan, frame); });
  return difference(*load, expected, run_guarded(*load, Guard::Behind, calls(code)));
}

std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t dropped_kernels() {
  return kIsSanitized ? 50 : taken({.brief = 500, .full = 5000}, "kernels dropped");
}

TEST(LlvmJit, DroppedKernelsLeaveNoMemoryBehind) {
  const LlvmJit jit = make_jit();
  const auto load_and_drop = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const LegalSpec spec = some_spec(static_cast<int>(i));
      ASSERT_TRUE(loaded(jit, spec, "kernel_" + std::to_string(i)));
    }
  };
  load_and_drop(kIsSanitized ? 20 : 300);
  const std::size_t before = resident_bytes();
  load_and_drop(dropped_kernels());
  const std::size_t after = resident_bytes();
  std::printf("resident before %zu KB, after %zu KB\n", before / 1024, after / 1024);
  if (kIsSanitized) return;  // the sanitizer keeps freed memory for a while
  EXPECT_LT(after, before + (std::size_t{1} << 20));
}

TEST(LlvmJit, KernelsTakeNoMoreThanTheyCount) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer holds back what is freed";
  const LlvmJit jit = make_jit();
  const auto object = jit.compile(make_plan(some_spec(1)), "kernel");
  ASSERT_TRUE(object);
  std::vector<LoadedCode> codes;
  std::size_t counted = 0;
  std::size_t before = 0;
  for (int i = 0; i < 2500; ++i) {
    if (i == 500) before = resident_bytes();
    Result<LoadedCode> code = jit.load_object(*object, "kernel");
    ASSERT_TRUE(code);
    if (i >= 500) counted += code->footprint();
    codes.push_back(std::move(*code));
  }
  const std::size_t taken = resident_bytes() - before;
  std::printf("2000 kernels count %zu KB and take %zu KB\n", counted / 1024, taken / 1024);
  EXPECT_LT(taken, counted * 5 / 4);
}

TEST(LlvmJit, KernelsLiveSideBySideUnderOneName) {
  const LlvmJit jit = make_jit();
  std::vector<LoadedCode> codes;
  for (int i = 0; i < 60; ++i) {
    Result<LoadedCode> code = loaded(jit, some_spec(i));
    ASSERT_TRUE(code) << render(code.error());
    EXPECT_GT(code->bytes().size(), 10u);
    EXPECT_LT(code->bytes().size(), 10000u);
    codes.push_back(std::move(*code));
  }
  codes.erase(codes.begin(), codes.begin() + 20);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(wrong_result(some_spec(i + 20), codes[static_cast<std::size_t>(i)]), "");
  }
}

TEST(LlvmJit, CodeMayOutliveItsMaker) {
  std::optional<LoadedCode> code;
  {
    const LlvmJit jit = make_jit();
    Result<LoadedCode> made = loaded(jit, some_spec(9));
    ASSERT_TRUE(made);
    code.emplace(std::move(*made));
  }
  EXPECT_EQ(wrong_result(some_spec(9), *code), "");
}

TEST(LlvmJit, ManyThreadsMayLoadAndDrop) {
  const LlvmJit jit = make_jit();
  std::vector<std::string> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const LegalSpec legal = some_spec(t * 25 + i);
        const Result<LoadedCode> code = loaded(jit, legal);
        wrong[static_cast<std::size_t>(t)] +=
            code ? wrong_result(legal, *code) : render(code.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& found : wrong) EXPECT_EQ(found, "");
}

TEST(LlvmJit, AnObjectCanBeKeptAndLoadedAgain) {
  const LlvmJit jit = make_jit();
  const auto object = jit.compile(make_plan(some_spec(5)), "kernel");
  ASSERT_TRUE(object);
  const Result<LoadedCode> first = jit.load_object(*object, "kernel");
  const Result<LoadedCode> second = jit.load_object(*object, "kernel");
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->entry(), second->entry());
  EXPECT_EQ(wrong_result(some_spec(5), *first), "");
  EXPECT_EQ(wrong_result(some_spec(5), *second), "");
}

TEST(LlvmJit, ObjectsDoNotDependOnWhatWasMadeBefore) {
  const LlvmJit jit = make_jit();
  std::vector<std::vector<std::byte>> objects;
  for (int i = 0; i < 40; ++i) {
    const auto object = jit.compile(make_plan(some_spec(i % 20)), "kernel");
    ASSERT_TRUE(object);
    objects.push_back(*object);
  }
  for (std::size_t i = 0; i < 20; ++i) {
    const auto alone = llvm_backend::emit_object(make_plan(some_spec(static_cast<int>(i))),
                                                 "kernel", target_at(host_levels().front()));
    EXPECT_EQ(objects[i], *alone);
    EXPECT_EQ(objects[i], objects[i + 20]);
  }
}

void expect_not_loaded(const LlvmJit& jit, std::span<const std::byte> object,
                       const std::string& symbol) {
  const Result<LoadedCode> code = jit.load_object(object, symbol);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().front().id, "llvm.link");
  EXPECT_FALSE(code.error().front().message.empty());
}

TEST(LlvmJit, ObjectsThatDoNotFitAreErrors) {
  const LlvmJit jit = make_jit();
  const KernelPlan plan = make_plan(some_spec(5));
  const auto object = jit.compile(plan, "kernel");
  ASSERT_TRUE(object);
  expect_not_loaded(jit, *object, "another");
  expect_not_loaded(jit, {}, "kernel");
  expect_not_loaded(jit, std::span(*object).first(object->size() / 2), "kernel");
  const bool is_arm = target_at(FeatureLevel::Baseline).triple.starts_with("aarch64");
  const std::string foreign = is_arm ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  const auto other = llvm_backend::emit_object(plan, "kernel", {foreign, "", ""});
  ASSERT_TRUE(other);
  expect_not_loaded(jit, *other, "kernel");
  const Result<LlvmJit> none = LlvmJit::make({foreign, "", ""});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().id, "llvm.target");
}

}  // namespace
}  // namespace pto::jit::tests
