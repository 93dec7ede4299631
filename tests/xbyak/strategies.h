// Every strategy that applies to a plan: the chosen one, and each choice forced in turn.
#pragma once

#include <vector>

#include "ir/plan.h"
#include "jit/backends/xbyak/strategy.h"

namespace pto::jit::tests {

// Wishes that change what would be chosen; the first is none.
std::vector<StrategyWish> wishes_for(const KernelPlan& plan, const HostFeatures& host);

}  // namespace pto::jit::tests
