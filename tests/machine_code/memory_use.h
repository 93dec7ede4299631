// What generated code does to memory, found by following its registers from the frame on: whether
// stores go where a kernel may write, the stack is used only where the prologue made room, and
// stores around the caches are fenced on every path to the caller.
#pragma once

#include <string>

#include "ir/plan.h"
#include "tests/machine_code/following.h"

namespace pto::jit::tests {

// What a kernel may do besides.
struct CodeRules {
  bool may_call = false;      // a routine that writes where its first argument says
  bool has_red_zone = false;  // 128 bytes below the stack pointer, as long as nothing is called
};

// What is wrong with a kernel of `plan`, and with which instruction; or nothing.
std::string misuse_of_memory(const Decoded& code, const KernelPlan& plan, const CodeRules& rules);

}  // namespace pto::jit::tests
