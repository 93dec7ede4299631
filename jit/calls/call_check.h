// The first half of a checked call, for those who make it themselves.
#pragma once

#include "ir/result.h"
#include "jit/calls/checked_call.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit {

// A call that may be made: the values of its runtime dimensions, and a frame of the caller's
// memory.
struct CheckedCall {
  BoundSpec kernel;
  OperandStore operands;
};

// Checks what `call` checks, and touches nothing. What the indices are is for take_indices to say.
Result<CheckedCall> check_call(const LegalSpec& legal, const CallArguments& arguments);

}  // namespace pto::jit
