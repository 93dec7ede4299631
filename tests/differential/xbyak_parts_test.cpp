// Parts and audits of generated x86-64 code with each choice of strategy forced: every case of the
// grid that can be parted meets another one at every feature level.
#include <gtest/gtest.h>

#include <map>

#include "ir/parts.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "tests/support/parts_comparison.h"
#include "tests/support/sample_size.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

class ForcedParts : public ::testing::TestWithParam<FeatureLevel> {};

TEST_P(ForcedParts, LeaveTheMemoryOfTheWhole) {
  const FeatureLevel level = GetParam();
  if (!has_level(host_features(), level)) GTEST_SKIP() << "this host has no " << name_of(level);
  const HostFeatures host = with_level(host_features(), level);
  PartsComparison comparison;
  std::map<std::string, std::size_t> met;
  std::size_t turn = 0;
  for_each_parts_workload([&](const Workload& load) {
    const std::vector<StrategyWish> wishes = wishes_for(part_plan(load.plan), host);
    const StrategyWish& wish = wishes[turn++ % wishes.size()];
    const auto kernel = [&](KernelKind kind) {
      const Result<Kernel> made =
          compile(load.declared,
                  {.backend = Backend::Xbyak, .level = level, .strategy = wish, .kind = kind});
      EXPECT_TRUE(made) << print(load.declared);
      return *made;
    };
    const Kernel part = kernel(KernelKind::Part);
    const Kernel audit = load.plan.audit.is_on ? kernel(KernelKind::Audit) : part;
    ++met[print(wish)];
    comparison.compare(load, print(wish), [&](const KernelPlan& plan, const Frame& frame) {
      (plan.audit.is_on ? audit : part)(frame);
    });
  });
  for (const auto& [wish, runs] : met)
    std::printf("%8zu %s\n", runs, wish.empty() ? "as chosen" : wish.c_str());
  if (level != FeatureLevel::Baseline) {
    EXPECT_GT(met["form=lanes"], 100u);
  }
  EXPECT_GT(comparison.report(), takes_full_samples() ? 10000u : 1000u);
}

INSTANTIATE_TEST_SUITE_P(Levels, ForcedParts,
                         ::testing::Values(FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace pto::jit::tests
