// Running loaded code here: the feature levels of the host, and code as something to call.
#pragma once

#include <functional>
#include <vector>

#include "ir/frame.h"
#include "jit/llvm/llvm_backend.h"
#include "runtime/host/host_features.h"

namespace pto::jit::tests {

// Best first.
inline std::vector<FeatureLevel> host_levels() {
  std::vector<FeatureLevel> out;
  for (const FeatureLevel level :
       {FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Baseline}) {
    if (has_level(host_features(), level)) out.push_back(level);
  }
  return out;
}

inline std::function<void(const Frame&)> calls(const llvm_backend::LoadedCode& code) {
  return [entry = code.entry()](const Frame& frame) { entry(&frame); };
}

}  // namespace pto::jit::tests
