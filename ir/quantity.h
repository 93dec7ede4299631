// Arithmetic over extents some of which are known only at run time: a rule about them holds, is
// broken, or has to wait.
#pragma once

#include <cstdint>
#include <limits>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

enum class Truth : std::uint8_t { Broken, Holds, AtInvocation };

constexpr Truth truth(bool holds) { return holds ? Truth::Holds : Truth::Broken; }

// The weakest of the two: one broken part breaks the whole.
constexpr Truth both(Truth a, Truth b) {
  if (a == Truth::Broken || b == Truth::Broken) return Truth::Broken;
  return a == Truth::Holds ? b : a;
}

// A non-negative number, or one not known yet. Products stop at the largest number there is.
struct Quantity {
  std::int64_t value = 0;
  bool known = false;

  constexpr Quantity() = default;
  constexpr Quantity(std::int64_t number)  // NOLINT(google-explicit-constructor)
      : value(number), known(number != kRuntime) {}
};

inline constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

constexpr std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kHuge : out;
}
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? kHuge : out;
}

constexpr Quantity operator*(Quantity a, Quantity b) {
  if (!a.known || !b.known) return {};
  return saturating_product(a.value, b.value);
}

constexpr Truth equal(Quantity a, Quantity b) {
  return a.known && b.known ? truth(a.value == b.value) : Truth::AtInvocation;
}
constexpr Truth at_most(Quantity a, Quantity b) {
  return a.known && b.known ? truth(a.value <= b.value) : Truth::AtInvocation;
}

inline Quantity quantity(const KernelSpec& spec, Dim dim) { return get(spec, dim); }

// The stride of a dimension, worked out when the table is packed.
inline Quantity stride_of(const Table& table, std::size_t dim) {
  if (has_strides(table)) return table.strides[dim];
  Quantity packed = 1;
  for (std::size_t inner = dim + 1; inner < 5; ++inner) packed = packed * table.shape[inner];
  return packed;
}

// One past the last element a table names; unknown while any part of it is.
inline Quantity span_of(const Table& table) {
  std::int64_t span = 1;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    const Quantity extent = table.shape[dim];
    if (extent.known && extent.value == 0) return 0;
    if (extent.known && extent.value == 1) continue;
    const Quantity stride = stride_of(table, dim);
    if (!extent.known || !stride.known) return {};
    span = saturating_sum(span, saturating_product(extent.value - 1, stride.value));
  }
  return span;
}

// The product of extents `first` up to, not including, `last`.
inline Quantity extents(const Table& table, std::size_t first, std::size_t last) {
  Quantity product = 1;
  for (std::size_t dim = first; dim < last; ++dim) product = product * table.shape[dim];
  return product;
}

constexpr std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

constexpr std::int64_t tile_bytes(const Tile& tile) {
  return saturating_product(saturating_product(tile.rows, tile.cols), size_of(tile.dtype));
}

}  // namespace pto::jit
