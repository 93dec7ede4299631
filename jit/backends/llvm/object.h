// An object file for a plan, made by a machine that is kept.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/plan.h"
#include "ir/result.h"
#include "jit/backends/llvm/machine.h"

namespace pto::jit::llvm_backend {

Result<std::vector<std::byte>> make_object(const KernelPlan& plan, const std::string& symbol,
                                           const Machine& machine, bool follows_indices);

}  // namespace pto::jit::llvm_backend
