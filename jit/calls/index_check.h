// Whether every index a kernel would follow stays inside what it addresses. Asked before an
// unchecked kernel runs on memory that belongs to somebody else.
#pragma once

#include "ir/frame.h"
#include "ir/result.h"
#include "targets/binding.h"

namespace pto::jit {

// An error that names the first index that leaves its operand. Kernels with an answer to such an
// index, without indices, or with nothing to move, always pass.
Result<Done> check_indices(const BoundSpec& kernel, const Frame& frame);

}  // namespace pto::jit
