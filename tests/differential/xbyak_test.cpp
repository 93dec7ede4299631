// Generated x86-64 code against the interpreter, over the grid at every feature level, with
// every strategy that applies forced in turn.
#include <gtest/gtest.h>

#include <map>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "targets/planner.h"
#include "tests/support/cells.h"
#include "tests/support/sample_size.h"
#include "tests/support/workload.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260102;
constexpr int kMostShown = 10;
constexpr std::size_t kEvery = 10;  // of the grid's cases in a short sample

class Comparison {
 public:
  explicit Comparison(FeatureLevel level)
      : level_(level), host_(with_level(host_features(), level)) {}

  void compare(const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    std::vector<std::pair<Kernel, std::string>> kernels;
    for (const StrategyWish& wish : wishes_for(make_plan(*legal), host_)) {
      const Result<Kernel> kernel = compile(entry.spec, {Backend::Xbyak, level_, wish});
      ASSERT_TRUE(kernel) << print(entry.spec) << "\n" << render(kernel.error());
      EXPECT_EQ(kernel->backend(), Backend::Xbyak);
      kernels.emplace_back(*kernel, print(wish));
    }
    for (const KernelSpec& bound : bindings) {
      const Pattern pattern = kPatterns[count_++ % kPatterns.size()];
      const auto load = make_workload(*legal, bound, pattern, kSeed + count_);
      if (load) compare(*load, kernels);
    }
  }

  std::size_t runs() const { return runs_; }
  const std::map<std::string, std::size_t>& runs_by_wish() const { return by_wish_; }

 private:
  void compare(const Workload& load, const std::vector<std::pair<Kernel, std::string>>& kernels) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const auto& [kernel, wish] : kernels) {
      for (const Guard guard : {Guard::Behind, Guard::Before}) {
        const std::string found = difference(load, expected, run_guarded(load, guard, kernel));
        if (!found.empty() && failures_++ < kMostShown)
          ADD_FAILURE() << found << "\nPTOJIT_STRATEGY='" << wish << "'\n" << print(load.plan);
        ++runs_;
        ++by_wish_[wish];
      }
    }
  }

  FeatureLevel level_;
  HostFeatures host_;
  std::uint32_t count_ = 0;
  int failures_ = 0;
  std::size_t runs_ = 0;
  std::map<std::string, std::size_t> by_wish_;
};

class Xbyak : public ::testing::TestWithParam<FeatureLevel> {};

TEST_P(Xbyak, AgreesWithTheInterpreterOnTheGrid) {
  if (!has_level(host_features(), GetParam())) {
    GTEST_SKIP() << "this host has no " << name_of(GetParam());
  }
  Comparison comparison(GetParam());
  for (const GridCase& entry : sampled_grid(kEvery)) {
    comparison.compare(entry);
    if (HasFatalFailure()) return;
  }
  std::printf("%zu runs at %s, seed %u\n", comparison.runs(),
              std::string(name_of(GetParam())).c_str(), kSeed);
  for (const auto& [wish, runs] : comparison.runs_by_wish())
    std::printf("%8zu %s\n", runs, wish.empty() ? "as chosen" : wish.c_str());
  EXPECT_GT(comparison.runs(), takes_full_samples() ? 40000u : 4000u);
}

INSTANTIATE_TEST_SUITE_P(Levels, Xbyak,
                         ::testing::Values(FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512, FeatureLevel::Native),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace pto::jit::tests
