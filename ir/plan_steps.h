// A plan in steps as a person reads them: what `ptojit plan` prints, and its JSON holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/plan.h"

namespace pto::jit {

struct PlanStep {
  std::string_view label;
  std::string text;
};

std::vector<PlanStep> steps_of(const KernelPlan& plan, std::optional<Op> op = {});

}  // namespace pto::jit
