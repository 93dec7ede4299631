// What made-up operands hold: numbers and indices, one element after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>

#include "ir/dtype.h"
#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

// Gives the i-th element the low bits of next(i); less than an element at the end is left alone.
template <class Next>
void fill(std::span<std::byte> bytes, DType dtype, Next&& next) {
  const auto size = static_cast<std::size_t>(size_of(dtype));
  for (std::size_t i = 0; (i + 1) * size <= bytes.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(next(i));
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
}

// The bits of a number that is told apart at a glance and whose sums round, but are never NaN.
std::uint32_t small_number(DType dtype, std::mt19937& random);

// How many slots a kernel's indices can name.
std::uint64_t indexed_slots(const KernelPlan& plan, const Frame& frame);

}  // namespace pto::jit
