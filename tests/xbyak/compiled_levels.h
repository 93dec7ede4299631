// A spec with its code at every feature level this host has.
#pragma once

#include <optional>
#include <vector>

#include "jit/compile/compile.h"
#include "targets/verify.h"

namespace pto::jit::tests {

struct CompiledLevels {
  LegalSpec legal;
  std::vector<Kernel> kernels;
};

// Nothing when it is not legal, or does not compile.
std::optional<CompiledLevels> compiled_at_levels(const KernelSpec& spec,
                                                 const StrategyWish& wish = {});

}  // namespace pto::jit::tests
