// Kernels of the LLVM backend against the interpreter and the x86-64 backend, bit for bit: the
// whole grid at the host's level, a fraction that meets every op, dtype, policy and layout at the
// others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/compile/compile.h"
#include "tests/support/cells.h"
#include "tests/support/grid.h"
#include "tests/support/host_levels.h"
#include "tests/support/sample_size.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260707;
constexpr std::size_t kShards = 8;
constexpr std::size_t kEvery = 12;  // of the grid's cases in a short sample

double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

class Comparison {
 public:
  explicit Comparison(FeatureLevel level) : level_(level) {}

  void check(const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    const double before = cpu_milliseconds();
    const Result<Kernel> kernel = compile(entry.spec, {Backend::Llvm, level_});
    milliseconds_.push_back(cpu_milliseconds() - before);
    ASSERT_TRUE(kernel) << print(entry.spec) << "\n" << render(kernel.error());
    ASSERT_EQ(kernel->backend(), Backend::Llvm);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) check(*legal, bound, *kernel);
  }

  void report() {
    std::ranges::sort(milliseconds_);
    const auto at = [&](std::size_t percent) {
      return milliseconds_[milliseconds_.size() * percent / 100];
    };
    std::printf("%s: %zu kernels, %zu runs, seed %u; to make one took p50 %.2f, p99 %.2f ms\n",
                std::string(name_of(level_)).c_str(), milliseconds_.size(), runs_, kSeed, at(50),
                at(99));
    EXPECT_EQ(failures_, 0);
    EXPECT_GT(runs_, 2 * milliseconds_.size() - 1);
  }

 private:
  void check(const LegalSpec& legal, const KernelSpec& bound, const Kernel& kernel) {
    const Pattern dealt = kPatterns[dealt_++ % kPatterns.size()];
    std::optional<Workload> load = make_workload(legal, bound, dealt, kSeed + dealt_);
    if (!load) load = make_workload(legal, bound, Pattern::Random, kSeed + dealt_);
    if (load) check(*load, kernel);
  }

  void check(const Workload& load, const Kernel& kernel) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      expect_equal(load, expected, run_guarded(load, guard, kernel));
    }
    if (!has_backend(Backend::Xbyak)) return;
    const Result<Kernel> other = compile(load.declared, {Backend::Xbyak, level_});
    ASSERT_TRUE(other);
    ASSERT_EQ(other->backend(), Backend::Xbyak);
    expect_equal(load, expected, run_guarded(load, Guard::Behind, *other));
  }

  void expect_equal(const Workload& load, const Image& expected, const Image& actual) {
    const std::string found = difference(load, expected, actual);
    if (!found.empty() && failures_++ < 20) ADD_FAILURE() << found << "\n" << print(load.plan);
    ++runs_;
  }

  const FeatureLevel level_;
  std::vector<double> milliseconds_;
  std::uint32_t dealt_ = 0;
  std::size_t runs_ = 0;
  int failures_ = 0;
};

void compare(FeatureLevel level, const std::vector<GridCase>& cases) {
  Comparison comparison(level);
  for (const GridCase& entry : cases) {
    comparison.check(entry);
    if (::testing::Test::HasFatalFailure()) return;
  }
  comparison.report();
}

// Each shard is a test of its own, so that they run side by side.
class LlvmGrid : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LlvmGrid, AgreesWithTheInterpreterAndXbyakOnTheHostsLevel) {
  std::vector<GridCase> mine;
  const std::vector<GridCase> grid = sampled_grid(kEvery);
  for (std::size_t i = GetParam(); i < grid.size(); i += kShards) mine.push_back(grid[i]);
  compare(FeatureLevel::Native, mine);
}

INSTANTIATE_TEST_SUITE_P(Shards, LlvmGrid, ::testing::Range(std::size_t{0}, kShards));

class LlvmLevels : public ::testing::TestWithParam<FeatureLevel> {};

TEST_P(LlvmLevels, AgreeOnAFractionOfTheGrid) {
  compare(GetParam(), chosen_cases(runnable_grid(), takes_full_samples() ? 37 : 1000));
}

// The best of this host is the one of the shards, which an emulator of another one has no time for.
// A host may have no other.
std::vector<FeatureLevel> other_levels() {
  const std::vector<FeatureLevel> all = host_levels();
  return {all.begin() + (host_features().neon ? 0 : 1), all.end()};
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LlvmLevels);
INSTANTIATE_TEST_SUITE_P(Levels, LlvmLevels, ::testing::ValuesIn(other_levels()),
                         [](const auto& level) { return std::string(name_of(level.param)); });

TEST(LlvmLevels, ChosenCasesReachEveryCell) {
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
