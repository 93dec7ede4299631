// An amount: a number times runtime dimensions. Everything a plan counts is one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

// Sixteen bytes without padding: a plan is full of them, and padding makes each copy two.
struct Amount {
  std::int64_t factor = 0;
  std::array<Dim, 7> dims{};  // ascending; those from `count` on are unused
  std::uint8_t count = 0;

  constexpr Amount() = default;
  constexpr Amount(std::int64_t number) : factor(number) {}  // NOLINT(google-explicit-constructor)

  static constexpr Amount of(Dim dim) {
    Amount out(1);
    out.dims[0] = dim;
    out.count = 1;
    return out;
  }

  constexpr bool is_static() const { return count == 0; }
  constexpr bool is(std::int64_t number) const { return count == 0 && factor == number; }
  constexpr bool operator==(const Amount&) const = default;
};

static_assert(sizeof(Amount) == 16);

// Sorted dimensions stay sorted; most products have a plain number on one side.
constexpr Amount operator*(const Amount& a, const Amount& b) {
  const std::int64_t factor = a.factor * b.factor;
  if (factor == 0) return factor;
  Amount out = b.count == 0 ? a : b;
  out.factor = factor;
  if (a.count == 0 || b.count == 0) return out;
  std::merge(a.dims.begin(), a.dims.begin() + a.count, b.dims.begin(), b.dims.begin() + b.count,
             out.dims.begin());
  out.count = static_cast<std::uint8_t>(a.count + b.count);
  return out;
}

// The value of a spec's dimension: its number, or the dimension itself when it is runtime.
inline Amount amount_of(const KernelSpec& spec, Dim dim) {
  const std::int64_t value = get(spec, dim);
  return value == kRuntime ? Amount::of(dim) : Amount(value);
}

// "4*src.vc", or "4*data.vc" where the operation is not said, for no amount knows it.
std::string print(const Amount& amount, std::optional<Op> op = {});

}  // namespace pto::jit
