// Arithmetic on single elements held as their bits, zero-extended to 32.
#pragma once

#include <cstdint>

#include "ir/dtype.h"

namespace pto::jit {

using ElementBits = std::uint32_t;

// The sum of two numbers. Integers wrap; f16 and bf16 are added in f32 and rounded once. Bits
// beyond the element's size are unspecified.
ElementBits sum_of(DType number, ElementBits a, ElementBits b);

// a < b as numbers; never true of a NaN.
bool is_less(DType number, ElementBits a, ElementBits b);

}  // namespace pto::jit
