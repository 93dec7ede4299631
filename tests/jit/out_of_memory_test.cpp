// Memory that cannot be had, at each allocation in turn: C++ lets std::bad_alloc through and
// nothing else, C answers, and the next call is done.
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <sstream>
#include <vector>

#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/calls/checked_call.h"
#include "jit/compile/compile.h"
#include "jit/doors/c/c.h"
#include "jit/tools/tool.h"
#include "tests/support/allocations.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

constexpr const char* kSpec = "a5:mgather.row.zero dst=f32[8x8] idx=i32[1x8] table=f32[32x8]";

// Until `work` comes to its good end; it gives whether it did.
template <class Work>
void fail_at_each_allocation(Work work) {
  bool is_done = false;
  std::uint64_t failures = 0;
  for (std::uint64_t allowed = 0; !is_done; allowed += 1 + allowed / 16) {
    ASSERT_LT(allowed, 10'000'000U) << "it never ends well";
    try {
      const FailingAllocations failing(allowed);
      is_done = work();
    } catch (const std::bad_alloc&) {
    }
    failures += is_done ? 0 : 1;
  }
  EXPECT_GT(failures, 0U);
}

class OutOfMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kIsSanitized) GTEST_SKIP() << "a sanitizer's allocator cannot be made to fail";
    if (best_backend() == Backend::Llvm)
      GTEST_SKIP() << "LLVM, which makes kernels here, ends a process without memory";
    clear_cache();  // LLVM cannot remove other tests' kernels without memory
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  }
  void expect_moved() const {
    for (std::size_t i = 0; i < dst.size(); ++i)
      EXPECT_EQ(dst[i], table[static_cast<std::size_t>(idx[i / 8]) * 8 + i % 8]);
  }

  std::vector<float> dst = std::vector<float>(64, -1);
  std::vector<float> table = std::vector<float>(256);
  std::vector<std::int32_t> idx = {3, 1, 4, 1, 5, 9, 2, 6};
};

TEST_F(OutOfMemory, LeavesCallsAsBadAllocOrADiagnostic) {
  const KernelSpec spec = *parse(kSpec);
  const BufferView views[] = {view_of("dst", dst), view_of("idx", idx), view_of("table", table)};
  for (const int parts : {0, 4}) {
    fail_at_each_allocation([&] {
      clear_cache();
      return static_cast<bool>(call(spec, {.buffers = views, .parallel = {.parts = parts}}));
    });
    expect_moved();
  }
}

TEST_F(OutOfMemory, IsAStatusInC) {
  const auto buffer = [](const char* name, auto& of, const char* dtype) {
    const auto bytes = static_cast<std::int64_t>(of.size() * sizeof(of[0]));
    return ptojit_buffer{name, of.data(), bytes, dtype, nullptr, nullptr, 0};
  };
  const ptojit_buffer buffers[] = {buffer("dst", dst, "f32"), buffer("idx", idx, "i32"),
                                   buffer("table", table, "f32")};
  const ptojit_arguments arguments = {buffers, 3, nullptr, 0, nullptr, 0, 0};
  bool is_failed = false;
  fail_at_each_allocation([&] {
    ptojit_spec* spec = nullptr;
    ptojit_diagnostics* why = nullptr;
    ptojit_status status = ptojit_parse(kSpec, &spec, &why);
    clear_cache();
    if (status == PTOJIT_OK) status = ptojit_call(spec, &arguments, nullptr, &why);
    ptojit_spec_free(spec);
    ptojit_diagnostics_free(why);
    is_failed = is_failed || status == PTOJIT_FAILED;
    return status == PTOJIT_OK;
  });
  EXPECT_TRUE(is_failed);
  expect_moved();
}

TEST_F(OutOfMemory, IsAnAnswerOfACommand) {
  const auto fail = []() -> cli::Outcome { throw std::bad_alloc(); };
  for (const bool json : {false, true}) {
    std::ostringstream out;
    std::ostringstream err;
    cli::Session session{out, err};
    cli::run_command(session, fail, json);
    EXPECT_EQ(session.exit, cli::Exit::Unusable);
    EXPECT_NE((json ? out : err).str().find("memory.allocate"), std::string::npos);
    EXPECT_EQ((json ? err : out).str(), "");
  }
}

TEST_F(OutOfMemory, IsAnAnswerOfTheToolBeforeItKnowsTheCommand) {
  const char* const arguments[] = {"ptojit", "plan", kSpec};
  for (const std::uint64_t allowed : {0, 1, 10}) {
    std::ostringstream out;
    std::ostringstream err;
    err.str(std::string(200, ' '));  // room for what is said
    const FailingAllocations failing(allowed);
    EXPECT_EQ(cli::run_tool(3, arguments, out, err), 2);
  }
}

}  // namespace
}  // namespace pto::jit::tests
