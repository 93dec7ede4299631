// The feature levels of this host.
#pragma once

#include <vector>

#include "runtime/host/host_features.h"

namespace pto::jit::tests {

// All but Native, best first.
inline std::vector<FeatureLevel> host_levels() {
  std::vector<FeatureLevel> out;
  for (const FeatureLevel level : {FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Sve2,
                                   FeatureLevel::Sve, FeatureLevel::Neon}) {
    if (has_level(host_features(), level)) out.push_back(level);
  }
  if (!host_features().neon) out.push_back(FeatureLevel::Baseline);  // which NEON is
  return out;
}

}  // namespace pto::jit::tests
