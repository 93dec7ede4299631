// BufferView: memory as its owner describes it to a checked call; and view_of, which makes one from
// a container, so that neither its size nor its elements can be misstated.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#include "ir/dtype.h"

namespace pto::jit {

// Whoever describes memory wrongly gets a diagnostic, not a crash, as long as `bytes` is true.
struct BufferView {
  std::string_view operand;  // as the spec's text names it; "dst.2" is rank 2 of a group
  void* data = nullptr;
  std::int64_t bytes = 0;
  DType dtype = DType::I8;
  // Tiles: padded rows and cols. Tables: one to five extents, leading ones left out, which also
  // bind runtime extents. Empty: as the spec states.
  std::span<const std::int64_t> shape{};
  // Tables only, in elements. Empty: packed, or as the spec states.
  std::span<const std::int64_t> strides{};
  // Unsigned elements may stand for a float of their size that C++ has no type for.
  bool may_hold_bits = false;
  bool is_const = false;  // not for an operand that is written
};

// The dtype that elements of a C++ type are: float is f32, integers are those of their size and
// sign, and std::byte is u8. bool, char and double are none.
template <class Element>
consteval std::optional<DType> dtype_of_element() {
  if constexpr (std::same_as<Element, float>) return DType::F32;
  const bool is_number =
      std::integral<Element> && !std::same_as<Element, bool> && !std::same_as<Element, char>;
  if (!is_number && !std::same_as<Element, std::byte>) return std::nullopt;
  const NumberKind kind = std::is_signed_v<Element> ? NumberKind::Signed : NumberKind::Unsigned;
  for (const DTypeInfo& info : kDTypes) {
    if (info.size == sizeof(Element) && info.kind == kind) return info.dtype;
  }
  return std::nullopt;
}

// Whether elements of `holder` can hold the bits of those that are `wanted`: f16, bf16 and the
// 8-bit floats in unsigned integers of their size.
constexpr bool holds_bits_of(DType holder, DType wanted) {
  const NumberKind kind = info_of(wanted).kind;
  const bool has_no_type = kind == NumberKind::Opaque || kind == NumberKind::Float;
  return has_no_type && wanted != DType::F32 && size_of(holder) == size_of(wanted) &&
         info_of(holder).kind == NumberKind::Unsigned;
}

// All elements of a vector, an array, a span or any other container that keeps them side by side.
// The container outlives the view, as do shape and strides. u16 also holds f16 and bf16, u8 and
// std::byte the 8-bit floats; the spec decides, and the call checks.
template <std::ranges::contiguous_range Container>
  requires std::ranges::sized_range<Container> && std::ranges::borrowed_range<Container&&>
BufferView view_of(std::string_view operand, Container&& elements,
                   std::span<const std::int64_t> shape = {},
                   std::span<const std::int64_t> strides = {}) {
  using Reference = std::ranges::range_reference_t<Container>;
  using Element = std::ranges::range_value_t<Container>;
  constexpr std::optional<DType> kDType = dtype_of_element<Element>();
  static_assert(kDType.has_value(), "no dtype has such elements; see dtype_of_element");
  const std::span all(std::ranges::data(elements), std::ranges::size(elements));
  return {.operand = operand,
          .data = const_cast<Element*>(all.data()),
          .bytes = static_cast<std::int64_t>(all.size_bytes()),
          .dtype = *kDType,
          .shape = shape,
          .strides = strides,
          .may_hold_bits = true,
          .is_const = std::is_const_v<std::remove_reference_t<Reference>>};
}

}  // namespace pto::jit
