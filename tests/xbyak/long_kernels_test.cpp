// Kernels longer than those of the grid against the interpreter, at every feature level, with every
// strategy that applies: what mutants are told from is right itself.
#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "targets/planner.h"
#include "tests/support/workload.h"
#include "tests/xbyak/mutant_bindings.h"
#include "tests/xbyak/mutant_specs.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260303;

std::vector<KernelSpec> bindings_of(const Sample& sample) {
  std::vector<KernelSpec> out = legal_bindings(sample);
  for (const KernelSpec& bound : one_extent_at_a_time(sample.plan, out)) out.push_back(bound);
  return out;
}

class LongKernels : public ::testing::TestWithParam<FeatureLevel> {
 protected:
  // Each workload with one of the patterns and at one end of its storage, by turns.
  void compare(const LegalSpec& legal, const Kernel& kernel, const std::string& wish) {
    for (const KernelSpec& bound : bindings_) {
      const Pattern pattern = kPatterns[runs_ % kPatterns.size()];
      const Guard guard = ++runs_ % 2 == 0 ? Guard::Behind : Guard::Before;
      const std::optional<Workload> load = make_workload(legal, bound, pattern, kSeed + runs_);
      if (!load) continue;
      const Image expected =
          run_guarded(*load, guard, [&](const Frame& frame) { interpret(load->plan, frame); });
      const std::string found = difference(*load, expected, run_guarded(*load, guard, kernel));
      ASSERT_EQ(found, "") << "PTOJIT_STRATEGY='" << wish << "'\n" << print(load->plan);
    }
  }

  std::vector<KernelSpec> bindings_;
  std::uint32_t runs_ = 0;
};

TEST_P(LongKernels, AgreeWithTheInterpreter) {
  if (!has_level(host_features(), GetParam())) GTEST_SKIP() << "this host lacks the level";
  for (const GridCase& entry : long_cases()) {
    const LegalSpec legal = *verify(entry.spec);
    const KernelPlan plan = make_plan(legal);
    bindings_ = bindings_of({entry, plan, {}});
    for (const StrategyWish& wish : wishes_for(plan, with_level(host_features(), GetParam()))) {
      const Result<Kernel> kernel = compile(entry.spec, {Backend::Xbyak, GetParam(), wish});
      ASSERT_TRUE(kernel) << print(entry.spec) << "\n" << render(kernel.error());
      compare(legal, *kernel, print(wish));
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%u runs, seed %u\n", runs_, kSeed);
  EXPECT_GT(runs_, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Levels, LongKernels,
                         ::testing::Values(FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512, FeatureLevel::Native),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace pto::jit::tests
