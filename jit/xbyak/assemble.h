// Machine code for a plan.
#pragma once

#include <cstddef>
#include <span>

#include "ir/plan.h"
#include "ir/result.h"
#include "jit/xbyak/strategy.h"

namespace pto::jit::xbyak {

// Position-independent code for `void(const Frame*)`. The bytes belong to the calling thread and
// last until its next call.
Result<std::span<const std::byte>> assemble(const KernelPlan& plan, const Strategy& strategy);

}  // namespace pto::jit::xbyak
