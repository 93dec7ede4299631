// One raw index resolved by itself, for those who look at indices without moving anything.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

// The slot it leads to; nothing where it is left out, or leads beyond the table.
std::optional<std::int64_t> resolved_slot(const KernelPlan& plan, const Frame& frame,
                                          std::uint32_t raw);

}  // namespace pto::jit
