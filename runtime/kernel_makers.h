// Kernels of what they are made of: a plan to interpret, or code that has been published.
#pragma once

#include "ir/plan.h"
#include "runtime/code/code_arena.h"
#include "runtime/code/code_registration.h"
#include "runtime/kernel.h"

namespace pto::jit {

Kernel make_interpreter_kernel(const KernelPlan& plan, KernelName name);
// `known_as` keeps the code known to profilers and debuggers as long as it lives.
Kernel make_code_kernel(CodeBlock code, Backend backend, KernelName name,
                        CodeRegistration known_as = {});

}  // namespace pto::jit
