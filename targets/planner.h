// make_plan: from what is asked to what is done. Total: every legal spec has a plan.
#pragma once

#include "ir/plan.h"
#include "targets/verify.h"

namespace pto::jit {

KernelPlan make_plan(const LegalSpec& legal);

// The plan of the same kernel with an audit; an indexed kernel may always have one.
KernelPlan make_audited_plan(const LegalSpec& legal);

}  // namespace pto::jit
