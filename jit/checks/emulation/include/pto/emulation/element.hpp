// Element types as values, and what a table holds after a tile's element met it. An element is
// held as its bits, zero-extended to 32; memory is little-endian.
#pragma once

#include <cstdint>
#include <type_traits>

#include "pto/emulation/numbers.hpp"

namespace pto::emulation {

enum class Element : std::uint8_t { I8, U8, I16, U16, I32, U32, F16, BF16, F32, E4M3, E5M2, HIF8 };

enum class Combine : std::uint8_t { Replace, Add, Max, Min };

constexpr std::int64_t size_of(Element element) {
  switch (element) {
    case Element::I8:
    case Element::U8:
    case Element::E4M3:
    case Element::E5M2:
    case Element::HIF8: return 1;
    case Element::I16:
    case Element::U16:
    case Element::F16:
    case Element::BF16: return 2;
    case Element::I32:
    case Element::U32:
    case Element::F32: return 4;
  }
  return 0;
}

constexpr bool is_float8(Element element) {
  return element == Element::E4M3 || element == Element::E5M2 || element == Element::HIF8;
}

namespace detail {

template <typename T>
struct ElementOf;
template <>
struct ElementOf<std::int8_t> : std::integral_constant<Element, Element::I8> {};
template <>
struct ElementOf<std::uint8_t> : std::integral_constant<Element, Element::U8> {};
template <>
struct ElementOf<std::int16_t> : std::integral_constant<Element, Element::I16> {};
template <>
struct ElementOf<std::uint16_t> : std::integral_constant<Element, Element::U16> {};
template <>
struct ElementOf<std::int32_t> : std::integral_constant<Element, Element::I32> {};
template <>
struct ElementOf<std::uint32_t> : std::integral_constant<Element, Element::U32> {};
template <>
struct ElementOf<Half> : std::integral_constant<Element, Element::F16> {};
template <>
struct ElementOf<Bfloat16> : std::integral_constant<Element, Element::BF16> {};
template <>
struct ElementOf<float> : std::integral_constant<Element, Element::F32> {};
template <>
struct ElementOf<Float8E4M3> : std::integral_constant<Element, Element::E4M3> {};
template <>
struct ElementOf<Float8E5M2> : std::integral_constant<Element, Element::E5M2> {};
template <>
struct ElementOf<Hifloat8> : std::integral_constant<Element, Element::HIF8> {};

}  // namespace detail

template <typename T>
constexpr Element kElementOf = detail::ElementOf<std::remove_cv_t<T>>::value;

constexpr bool is_integer(Element element) { return element <= Element::U32; }

// Of the floats that are ever computed with.
inline float value_of(Element element, std::uint32_t bits) {
  if (element == Element::F16) return float_of_half(static_cast<std::uint16_t>(bits));
  if (element == Element::BF16) return float_of_bfloat16(static_cast<std::uint16_t>(bits));
  return float_of(bits);
}

inline std::uint32_t sum_of(Element element, std::uint32_t left, std::uint32_t right) {
  if (is_integer(element)) return left + right;  // the bits beyond the element are dropped later
  const float sum = value_of(element, left) + value_of(element, right);
  if (element == Element::F16) return half_of_float(sum);
  if (element == Element::BF16) return bfloat16_of_float(sum);
  return bits_of(sum);
}

inline bool is_less(Element element, std::uint32_t left, std::uint32_t right) {
  switch (element) {
    case Element::I8: return static_cast<std::int8_t>(left) < static_cast<std::int8_t>(right);
    case Element::I16: return static_cast<std::int16_t>(left) < static_cast<std::int16_t>(right);
    case Element::I32: return static_cast<std::int32_t>(left) < static_cast<std::int32_t>(right);
    case Element::U8:
    case Element::U16:
    case Element::U32: return left < right;
    case Element::F16:
    case Element::BF16:
    case Element::F32: return value_of(element, left) < value_of(element, right);
    case Element::E4M3:
    case Element::E5M2:
    case Element::HIF8: return false;  // only ever moved
  }
  return false;
}

// Ties, signed zeros and NaN keep what the table had.
inline std::uint32_t combine(Element element, Combine how, std::uint32_t table,
                             std::uint32_t value) {
  switch (how) {
    case Combine::Replace: return value;
    case Combine::Add: return sum_of(element, table, value);
    case Combine::Max: return is_less(element, table, value) ? value : table;
    case Combine::Min: return is_less(element, value, table) ? value : table;
  }
  return value;
}

}  // namespace pto::emulation
