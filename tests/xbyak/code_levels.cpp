#include "tests/xbyak/code_levels.h"

#include <gtest/gtest.h>

#include "jit/backends/xbyak/assemble.h"

namespace pto::jit::tests {

HostFeatures host_with(FeatureLevel level) {
  HostFeatures host;
  for (const auto feature :
       {&HostFeatures::bmi2, &HostFeatures::avx2, &HostFeatures::f16c, &HostFeatures::fma,
        &HostFeatures::avx512f, &HostFeatures::avx512bw, &HostFeatures::avx512dq,
        &HostFeatures::avx512vl, &HostFeatures::avx512cd, &HostFeatures::fast_gather})
    host.*feature = true;
  return with_level(host, level);
}

Strategy strategy_at(const KernelPlan& plan, FeatureLevel level) {
  return choose_strategy(plan, host_with(level));
}

std::vector<std::byte> assembled(const KernelPlan& plan, const Strategy& strategy,
                                 xbyak::Notes* notes) {
  const Result<std::span<const std::byte>> code = xbyak::assemble(plan, strategy, notes);
  if (code) return {code->begin(), code->end()};
  ADD_FAILURE() << render(code.error()) << print(plan);
  return {};
}

}  // namespace pto::jit::tests
