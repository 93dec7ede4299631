// Faults planted between a plan and the code made of it, to see that a fuzzer finds them. The
// library has none: code is made to a wish that nobody may have, or of a plan that says otherwise.
#pragma once

#include <span>
#include <string_view>

#include "ir/plan.h"
#include "ir/spec.h"
#include "jit/options/strategy_wish.h"

namespace pto::jit::tests {

struct Plant {
  std::string_view name;
  // Changes what code is made of, where the spec is one that shows the fault.
  void (*spoil)(const KernelSpec& spec, KernelPlan& plan, StrategyWish& wish);
};

std::span<const Plant> all_plants();

// The fault of this process from now on; whether there is one of that name. None: no fault.
bool plant(std::string_view name);
const Plant* planted();

}  // namespace pto::jit::tests
