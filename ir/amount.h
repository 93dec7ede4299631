// An amount: a number times runtime dimensions. Everything a plan counts is one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

struct Amount {
  std::int64_t factor = 0;
  std::array<Dim, 6> dims{};  // ascending; those from `count` on are unused
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

constexpr Amount operator*(const Amount& a, const Amount& b) {
  Amount out(a.factor * b.factor);
  if (out.factor == 0) return out;
  for (std::size_t i = 0; i < a.count; ++i) out.dims[out.count++] = a.dims[i];
  for (std::size_t i = 0; i < b.count; ++i) out.dims[out.count++] = b.dims[i];
  std::sort(out.dims.begin(), out.dims.begin() + out.count);
  return out;
}

// The value of a spec's dimension: its number, or the dimension itself when it is runtime.
inline Amount amount_of(const KernelSpec& spec, Dim dim) {
  const std::int64_t value = get(spec, dim);
  return value == kRuntime ? Amount::of(dim) : Amount(value);
}

// "4*data.vc": dimensions by role, for a plan does not know its operation.
std::string print(const Amount& amount);
std::string role_dim_name(Dim dim);

}  // namespace pto::jit
