// Running loaded code here: the feature levels of the host, and code as something to call.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "jit/llvm/llvm_backend.h"
#include "runtime/host/host_features.h"
#include "targets/planner.h"

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

inline Result<llvm_backend::LoadedCode> loaded(const llvm_backend::LlvmJit& jit,
                                               const LegalSpec& legal,
                                               const std::string& symbol = "kernel") {
  const Result<std::vector<std::byte>> object = jit.compile(make_plan(legal), symbol);
  if (!object) return object.error();
  return jit.load_object(*object, symbol);
}

inline std::function<void(const Frame&)> calls(const llvm_backend::LoadedCode& code) {
  return [entry = code.entry()](const Frame& frame) { entry(&frame); };
}

}  // namespace pto::jit::tests
