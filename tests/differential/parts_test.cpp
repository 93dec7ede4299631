// Kernels done in parts against the same kernels done at once, over the grid: by the interpreter
// with all walks, and by generated code as each backend chooses to make it.
#include "ir/parts.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/walk.h"
#include "jit/backends/backend.h"
#include "jit/compile/compile.h"
#include "tests/support/parts_comparison.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kEveryOfLlvm = 5;  // of the cases: LLVM compiles in milliseconds

TEST(Parts, LeaveTheMemoryOfTheWholeByEveryWalk) {
  PartsComparison comparison;
  std::size_t count = 0;
  for_each_parts_workload([&](const Workload& load) {
    constexpr std::array kWalks = {WalkKind::Forward, WalkKind::Backward, WalkKind::ByOwner};
    constexpr std::array kGroups = {1, 4, 16};
    WalkKind kind = kWalks[++count % kWalks.size()];
    if (!slots_are_independent(load.plan)) kind = WalkKind::Forward;
    const int group = kGroups[count / kWalks.size() % kGroups.size()];
    const std::string name =
        "walk " + std::to_string(static_cast<int>(kind)) + " by " + std::to_string(group);
    comparison.compare(load, name, [&](const KernelPlan& plan, const Frame& frame) {
      interpret(plan, frame, {kind, group});
    });
  });
  EXPECT_GT(comparison.report(), takes_full_samples() ? 40000u : 4000u);
}

// By generated code, at a feature level.
struct Maker {
  Backend backend;
  FeatureLevel level;
};

class GeneratedParts : public ::testing::TestWithParam<Maker> {};

TEST_P(GeneratedParts, LeaveTheMemoryOfTheWhole) {
  const auto [backend, level] = GetParam();
  if (!has_backend(backend)) GTEST_SKIP() << no_backend(backend).message;
  if (!has_level(host_features(), level)) GTEST_SKIP() << "this host has no " << name_of(level);
  PartsComparison comparison;
  const auto compare = [&](const Workload& load) {
    const auto kernel = [&](KernelKind kind) {
      const Result<Kernel> made =
          compile(load.declared, {.backend = backend, .level = level, .kind = kind});
      EXPECT_TRUE(made) << print(load.declared);
      return *made;
    };
    const Kernel part = kernel(KernelKind::Part);
    const Kernel audit = load.plan.audit.is_on ? kernel(KernelKind::Audit) : part;
    comparison.compare(load, "code", [&](const KernelPlan& plan, const Frame& frame) {
      (plan.audit.is_on ? audit : part)(frame);
    });
  };
  for_each_parts_workload(compare, backend == Backend::Llvm ? kEveryOfLlvm : 1);
  EXPECT_GT(comparison.report(), takes_full_samples() ? 10000u : 1000u);
}

INSTANTIATE_TEST_SUITE_P(Backends, GeneratedParts,
                         ::testing::Values(Maker{Backend::Xbyak, FeatureLevel::Baseline},
                                           Maker{Backend::Xbyak, FeatureLevel::Avx2},
                                           Maker{Backend::Xbyak, FeatureLevel::Avx512},
                                           Maker{Backend::Llvm, FeatureLevel::Native}),
                         [](const auto& maker) {
                           return std::string(name_of(maker.param.backend)) + "_" +
                                  std::string(name_of(maker.param.level));
                         });

}  // namespace
}  // namespace pto::jit::tests
