// Groups with one lane or two in range, or out of it, by generated x86-64 code at every feature
// level, with every strategy that applies forced in turn.
#include <gtest/gtest.h>

#include "targets/planner.h"
#include "tests/support/lane_cases.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

class XbyakLanes : public ::testing::TestWithParam<FeatureLevel> {};

TEST_P(XbyakLanes, AreToldApartUnderEveryPolicy) {
  const FeatureLevel level = GetParam();
  if (!has_level(host_features(), level)) GTEST_SKIP() << "this host has no " << name_of(level);
  const HostFeatures host = with_level(host_features(), level);
  const std::size_t runs = run_lane_cases([&](const LegalSpec& legal) {
    std::vector<NamedKernel> out;
    for (const StrategyWish& wish : wishes_for(make_plan(legal), host)) {
      const Result<Kernel> kernel = compile(legal, {Backend::Xbyak, level, wish});
      EXPECT_TRUE(kernel) << render(kernel.error());
      out.push_back({"PTOJIT_STRATEGY='" + print(wish) + "'", *kernel});
    }
    return out;
  });
  EXPECT_GT(runs, 20000u);
}

INSTANTIATE_TEST_SUITE_P(Levels, XbyakLanes,
                         ::testing::Values(FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace pto::jit::tests
