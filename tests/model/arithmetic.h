// Arithmetic of single elements. An element is held as its bits, zero-extended to 32.
#pragma once

#include <cstdint>

#include "ir/dtype.h"
#include "ir/spec.h"

namespace pto::jit::model {

// Conversions of the 16-bit floats. Widening is exact; narrowing rounds to nearest even, and turns
// every NaN into a quiet one.
float widen_f16(std::uint32_t bits);
float widen_bf16(std::uint32_t bits);
std::uint32_t narrow_to_f16(float value);
std::uint32_t narrow_to_bf16(float value);

// What the table holds after `value` met `old` there. Bits beyond the element's size are
// unspecified.
std::uint32_t combine(DType dtype, Atomic atomic, std::uint32_t old, std::uint32_t value);

}  // namespace pto::jit::model
