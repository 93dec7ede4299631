// How many indices the emitter takes at a time: speed only, never meaning.
#pragma once

#include "ir/plan.h"

namespace pto::jit::llvm_backend {

// Whether each index moves one element, nothing combined.
bool moves_single_elements(const KernelPlan& plan);

// A power of two, at most as large as the innermost level where that is known.
int choose_group(const KernelPlan& plan);

}  // namespace pto::jit::llvm_backend
