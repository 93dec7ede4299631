// How many indices the emitter takes at a time: speed only, never meaning.
#pragma once

#include "ir/plan.h"
#include "jit/llvm/llvm_backend.h"

namespace pto::jit::llvm_backend {

// Whether each index moves, or combines, one element.
bool moves_elements(const KernelPlan& plan);

// When a plan only spreads neighbouring elements of the tile over a cleared table: from one to the
// next, in elements. Else 0.
int spread_distance(const KernelPlan& plan);

// group_size in llvm_backend.h is a power of two, at most as large as the innermost level where
// that is known.

}  // namespace pto::jit::llvm_backend
