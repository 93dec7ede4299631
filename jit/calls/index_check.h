// Whether every index a kernel would follow stays inside what it addresses. Asked before an
// unchecked kernel runs on memory that belongs to somebody else, who may write to it meanwhile.
#pragma once

#include <cstddef>
#include <memory>

#include "ir/frame.h"
#include "ir/result.h"
#include "targets/binding.h"

namespace pto::jit {

// An error that names the first index that leaves its operand. Kernels with an answer to such an
// index, without indices, or with nothing to move, always pass.
Result<Done> check_indices(const BoundSpec& kernel, const Frame& frame);

using OwnIndices = std::unique_ptr<std::byte[]>;

// Copies the indices that `frame` points to, makes it point to the copy, which has to live as long
// as the frame is used, and checks that: what was checked is what is followed. Under every policy,
// for kernels read an index more than once.
Result<OwnIndices> take_indices(const BoundSpec& kernel, Frame& frame);

}  // namespace pto::jit
