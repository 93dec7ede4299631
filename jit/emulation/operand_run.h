// A kernel for a device run in the emulation on the operands of a store.
#pragma once

#include <string>

#include "ir/result.h"
#include "jit/emulation/host_program.h"
#include "runtime/operands.h"
#include "targets/source_plan.h"

namespace pto::jit {

// What the machine reports of the kernel of `plan`, which is part of `program`.
Result<std::string> run_on_operands(const HostProgram& program, const SourcePlan& plan,
                                    const OperandStore& operands);

}  // namespace pto::jit
