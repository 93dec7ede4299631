// A kernel for a device run in the emulation on the operands of a store.
#pragma once

#include "ir/result.h"
#include "jit/checks/emulation/host_program.h"
#include "runtime/operands.h"
#include "targets/source_plan.h"

namespace pto::jit {

// A call of the kernel of `plan` that leaves its results in the store.
HostCall call_on(const OperandStore& operands, const SourcePlan& plan);

}  // namespace pto::jit
