// Half, bfloat16 and the combines, by hand: neither the compiler's half type nor the host's
// conversion instructions take part, so that they can be tested against this.
#include "tests/model/arithmetic.h"

#include <bit>
#include <cstdint>

namespace pto::jit::model {
namespace {

constexpr std::uint32_t kInfinityF32 = 0x7f800000;
constexpr std::uint32_t kSmallestNormalF16 = 0x38800000;  // 2^-14, as f32
constexpr std::uint32_t kBeyondF16 = 0x47800000;          // 2^16, as f32
constexpr std::uint32_t kBiasDifference = 112;            // 127 of f32 less 15 of f16

constexpr std::uint32_t magnitude_of(std::uint32_t bits) { return bits & 0x7fffffffU; }
constexpr std::uint32_t sign_as_16_bits(std::uint32_t bits) { return (bits >> 16) & 0x8000U; }

// value / 2^shift, to the nearest, ties to even.
constexpr std::uint32_t shift_to_nearest_even(std::uint32_t value, std::uint32_t shift) {
  const std::uint32_t quotient = value >> shift;
  const std::uint32_t rest = value - (quotient << shift);
  const std::uint32_t half = std::uint32_t{1} << (shift - 1);
  const bool up = rest > half || (rest == half && quotient % 2 == 1);
  return quotient + (up ? 1 : 0);
}

// A subnormal f16 is fraction * 2^-24 and always a normal f32.
constexpr std::uint32_t widen_subnormal_f16(std::uint32_t fraction) {
  std::uint32_t exponent = kBiasDifference + 1;
  while ((fraction & 0x400U) == 0) {
    fraction <<= 1;
    --exponent;
  }
  return (exponent << 23) | ((fraction & 0x3ffU) << 13);
}

// Counts in units of 2^-24; a count of 1024 is the smallest normal number, and has its bits.
constexpr std::uint32_t narrow_to_subnormal_f16(std::uint32_t magnitude) {
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t significand = (magnitude & 0x7fffffU) | 0x800000U;
  const std::uint32_t shift = 126 - exponent;
  return shift > 24 ? 0 : shift_to_nearest_even(significand, shift);
}

std::uint32_t add(DType dtype, std::uint32_t old, std::uint32_t value) {
  switch (dtype) {
    case DType::F16: return narrow_to_f16(widen_f16(old) + widen_f16(value));
    case DType::BF16: return narrow_to_bf16(widen_bf16(old) + widen_bf16(value));
    case DType::F32:
      return std::bit_cast<std::uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::I32:
    case DType::U32: return old + value;
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return value;  // only ever moved
  }
  return value;
}

bool is_less(DType dtype, std::uint32_t left, std::uint32_t right) {
  switch (dtype) {
    case DType::I8: return static_cast<std::int8_t>(left) < static_cast<std::int8_t>(right);
    case DType::I16: return static_cast<std::int16_t>(left) < static_cast<std::int16_t>(right);
    case DType::I32: return static_cast<std::int32_t>(left) < static_cast<std::int32_t>(right);
    case DType::F16: return widen_f16(left) < widen_f16(right);
    case DType::BF16: return widen_bf16(left) < widen_bf16(right);
    case DType::F32: return std::bit_cast<float>(left) < std::bit_cast<float>(right);
    case DType::U8:
    case DType::U16:
    case DType::U32: return left < right;
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return false;  // only ever moved
  }
  return false;
}

}  // namespace

float widen_f16(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0 && fraction == 0) return std::bit_cast<float>(sign);
  if (exponent == 0) return std::bit_cast<float>(sign | widen_subnormal_f16(fraction));
  if (exponent == 31) return std::bit_cast<float>(sign | kInfinityF32 | (fraction << 13));
  return std::bit_cast<float>(sign | ((exponent + kBiasDifference) << 23) | (fraction << 13));
}

float widen_bf16(std::uint32_t bits) { return std::bit_cast<float>(bits << 16); }

std::uint32_t narrow_to_f16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = sign_as_16_bits(bits);
  const std::uint32_t magnitude = magnitude_of(bits);
  if (magnitude > kInfinityF32) return sign | 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  if (magnitude >= kBeyondF16) return sign | 0x7c00U;
  if (magnitude < kSmallestNormalF16) return sign | narrow_to_subnormal_f16(magnitude);
  // A fraction that rounds up carries into the exponent, and from the largest one to infinity.
  return sign | shift_to_nearest_even(magnitude - (kBiasDifference << 23), 13);
}

std::uint32_t narrow_to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = sign_as_16_bits(bits);
  const std::uint32_t magnitude = magnitude_of(bits);
  if (magnitude > kInfinityF32) return sign | 0x7fc0U | (magnitude >> 16);
  return sign | shift_to_nearest_even(magnitude, 16);
}

// Max and min choose between bit patterns: a tie, a signed zero and a NaN keep the old one.
std::uint32_t combine(DType dtype, Atomic atomic, std::uint32_t old, std::uint32_t value) {
  switch (atomic) {
    case Atomic::None: return value;
    case Atomic::Add: return add(dtype, old, value);
    case Atomic::Max: return is_less(dtype, old, value) ? value : old;
    case Atomic::Min: return is_less(dtype, value, old) ? value : old;
  }
  return value;
}

}  // namespace pto::jit::model
