// Code from the LLVM backend against the interpreter, bit for bit, over the grid of legal specs: a
// fraction that meets every op, dtype, policy and layout, at each feature level the host has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/support/cells.h"
#include "tests/support/grid.h"
#include "tests/support/host.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;

constexpr std::uint32_t kSeed = 20260707;

class Comparison {
 public:
  explicit Comparison(const LlvmJit& jit) : jit_(jit) {}

  void check(const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    const double before = cpu_milliseconds();
    const Result<LoadedCode> code = jit_.load(make_plan(*legal), "kernel");
    milliseconds_.push_back(cpu_milliseconds() - before);
    ASSERT_TRUE(code) << print(entry.spec) << "\n" << render(code.error());
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) check(*legal, bound, *code);
  }

  void report(const std::string& level) {
    std::ranges::sort(milliseconds_);
    const auto at = [&](std::size_t percent) {
      return milliseconds_[milliseconds_.size() * percent / 100];
    };
    std::printf("%s: %zu kernels, %zu runs, seed %u; to make one took p50 %.2f, p99 %.2f ms\n",
                level.c_str(), milliseconds_.size(), runs_, kSeed, at(50), at(99));
    EXPECT_EQ(failures_, 0);
  }

 private:
  void check(const LegalSpec& legal, const KernelSpec& bound, const LoadedCode& code) {
    const Pattern dealt = kPatterns[dealt_++ % kPatterns.size()];
    for (const Pattern pattern : {dealt, Pattern::Random}) {
      const std::optional<Workload> load = make_workload(legal, bound, pattern, kSeed + dealt_);
      if (load) check(*load, code);
    }
  }

  void check(const Workload& load, const LoadedCode& code) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      const Image actual = run_with_scratch(load, guard, code.entry());
      const std::string found = difference(load, expected, actual);
      if (!found.empty() && failures_++ < 20) ADD_FAILURE() << found << "\n" << print(load.plan);
      ++runs_;
    }
  }

  static double cpu_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

  const LlvmJit& jit_;
  std::vector<double> milliseconds_;
  std::uint32_t dealt_ = 0;
  std::size_t runs_ = 0;
  int failures_ = 0;
};

void compare(const HostLevel& level, std::size_t every) {
  const Result<LlvmJit> jit = LlvmJit::make(llvm_backend::host_target(level.avx2, level.avx512));
  ASSERT_TRUE(jit) << render(jit.error());
  Comparison comparison(*jit);
  for (const GridCase& entry : chosen_cases(runnable_grid(), every)) {
    comparison.check(entry);
    if (::testing::Test::HasFatalFailure()) return;
  }
  comparison.report(level.name);
}

TEST(LlvmBackend, AgreesWithTheInterpreterOnTheHostsLevel) { compare(host_levels().front(), 7); }

TEST(LlvmBackend, AgreesWithTheInterpreterOnLowerLevels) {
  const std::vector<HostLevel> levels = host_levels();
  for (std::size_t i = 1; i < levels.size(); ++i) compare(levels[i], 37);
}

TEST(LlvmBackend, ChosenCasesReachEveryCell) {
  const std::vector<GridCase> grid = runnable_grid();
  Cells all;
  Cells chosen;
  for (const GridCase& entry : grid) all.add(entry.spec);
  for (const GridCase& entry : chosen_cases(grid, 1000)) chosen.add(entry.spec);
  EXPECT_TRUE(all == chosen);
  EXPECT_GT(all.count(), 150u);
}

}  // namespace
}  // namespace pto::jit::tests
