// Machine code for a plan.
#pragma once

#include <cstddef>
#include <span>

#include "ir/plan.h"
#include "ir/result.h"
#include "jit/backends/xbyak/notes.h"
#include "jit/backends/xbyak/strategy.h"

namespace pto::jit::xbyak {

// Position-independent code for `void(const Frame*)`. The bytes belong to the calling thread and
// last until its next call. What they are there for, and what wrote them, is added to `notes`.
Result<std::span<const std::byte>> assemble(const KernelPlan& plan, const Strategy& strategy,
                                            Notes* notes = nullptr);

}  // namespace pto::jit::xbyak
