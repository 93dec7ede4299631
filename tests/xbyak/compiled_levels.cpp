#include "tests/xbyak/compiled_levels.h"

namespace pto::jit::tests {

std::optional<CompiledLevels> compiled_at_levels(const KernelSpec& spec, const StrategyWish& wish) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return std::nullopt;
  CompiledLevels out{*legal, {}};
  for (const FeatureLevel level :
       {FeatureLevel::Baseline, FeatureLevel::Avx2, FeatureLevel::Avx512, FeatureLevel::Native}) {
    if (!has_level(host_features(), level)) continue;
    Result<Kernel> kernel = compile(spec, {Backend::Xbyak, level, wish});
    if (!kernel) return std::nullopt;
    out.kernels.push_back(std::move(*kernel));
  }
  return out;
}

}  // namespace pto::jit::tests
