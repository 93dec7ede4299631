// Where a scatter's slots are cut so that its parts have about as many writes each, however few
// slots take most of them: looked up in a sample of the indices.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

// The first slots of all parts but the first, not below each other; a multiple of `unit` each.
std::vector<std::int64_t> cuts_by_sample(const KernelPlan& plan, const Frame& frame, int parts,
                                         std::int64_t unit);

}  // namespace pto::jit
