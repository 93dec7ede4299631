// The number types of the device that the host compiler lacks. They are storage without arithmetic,
// as for the device's scalar pipe: half converts to and from float when asked, rounding to nearest
// even, bfloat16 is the upper half of a float's bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace pto::emulation {

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A float of `fraction_bits` behind an exponent of the given bias. `exponent` and `fraction` are
// the fields as stored; infinities and NaN are the caller's.
inline float finite_of(std::uint32_t exponent, std::uint32_t fraction, int fraction_bits,
                       int bias) {
  const int hidden = exponent == 0 ? 0 : 1 << fraction_bits;
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - fraction_bits;
  return std::ldexp(static_cast<float>(hidden + static_cast<int>(fraction)), power);
}

inline float float_of_half(std::uint16_t bits) {
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  if (exponent == 0x1f) return float_of(sign | 0x7f800000U | (fraction << 13));
  return float_of(sign | bits_of(finite_of(exponent, fraction, 10, 15)));
}

// Counts the magnitude in units of its last place, which nearbyint rounds to nearest even. The
// count carries into the exponent by itself, also from the subnormal numbers to the normal ones.
inline std::uint16_t half_of_float(float value) {
  const auto sign = static_cast<std::uint16_t>((bits_of(value) >> 16) & 0x8000U);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00U);
  const int exponent = magnitude < 0x1p-14F ? -14 : std::ilogb(magnitude);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>((exponent + 14) * 1024 + units));
}

inline float float_of_bfloat16(std::uint16_t bits) {
  return float_of(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t bfloat16_of_float(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t kept = bits >> 16;
  if (std::isnan(value)) return static_cast<std::uint16_t>(kept | 0x40U);
  const std::uint32_t dropped = bits & 0xffffU;
  const bool up = dropped > 0x8000U || (dropped == 0x8000U && (kept & 1U) != 0);
  return static_cast<std::uint16_t>(up ? kept + 1 : kept);
}

struct Half {
  std::uint16_t bits;

  Half() = default;
  explicit Half(float value) : bits(half_of_float(value)) {}
  explicit operator float() const { return float_of_half(bits); }
};

struct Bfloat16 {
  std::uint16_t bits;

  static Bfloat16 of(float value) { return {bfloat16_of_float(value)}; }
  float value() const { return float_of_bfloat16(bits); }
};

// The 8-bit floats are only ever moved; the conversions are for whoever looks at them.
struct Float8E4M3 {
  std::uint8_t bits = 0;

  // No infinities: all ones are NaN.
  explicit operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x80U) << 24;
    if ((bits & 0x7fU) == 0x7fU) return float_of(sign | 0x7fc00000U);
    return float_of(sign | bits_of(finite_of((bits >> 3) & 0xfU, bits & 7U, 3, 7)));
  }
};

struct Float8E5M2 {
  std::uint8_t bits = 0;

  // The upper half of a half.
  explicit operator float() const { return float_of_half(static_cast<std::uint16_t>(bits << 8)); }
};

struct Hifloat8 {
  std::uint8_t bits = 0;
};

}  // namespace pto::emulation

using half = pto::emulation::Half;
using bfloat16_t = pto::emulation::Bfloat16;
using float8_e4m3_t = pto::emulation::Float8E4M3;
using float8_e5m2_t = pto::emulation::Float8E5M2;
using hifloat8_t = pto::emulation::Hifloat8;
