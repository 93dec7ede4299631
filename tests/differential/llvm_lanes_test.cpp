// Groups with one lane or two in range, or out of it, by LLVM's code at every level of this host.
#include <gtest/gtest.h>

#include "tests/support/host_levels.h"
#include "tests/support/lane_cases.h"

namespace pto::jit::tests {
namespace {

TEST(LlvmLanes, AreToldApartUnderEveryPolicy) {
  const std::size_t runs = run_lane_cases([](const LegalSpec& legal) {
    std::vector<NamedKernel> out;
    for (const FeatureLevel level : host_levels()) {
      const Result<Kernel> kernel = compile(legal, {Backend::Llvm, level});
      EXPECT_TRUE(kernel) << render(kernel.error());
      out.push_back({std::string(name_of(level)), *kernel});
    }
    return out;
  });
  EXPECT_GT(runs, 10000u);
}

}  // namespace
}  // namespace pto::jit::tests
