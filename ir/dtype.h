// Element types: what an element is called, how wide it is, and what arithmetic it takes part in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/enum_set.h"

namespace pto::jit {

enum class DType : std::uint8_t {
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  F16,
  BF16,
  F32,
  F8E4M3,
  F8E5M2,
  HIF8
};

// The 8-bit floats are opaque: they are only ever moved.
enum class NumberKind : std::uint8_t { Signed, Unsigned, Float, Opaque };

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  std::uint8_t size;  // bytes
  NumberKind kind;
};

inline constexpr std::array kDTypes = {
    DTypeInfo{DType::I8, "i8", 1, NumberKind::Signed},
    DTypeInfo{DType::U8, "u8", 1, NumberKind::Unsigned},
    DTypeInfo{DType::I16, "i16", 2, NumberKind::Signed},
    DTypeInfo{DType::U16, "u16", 2, NumberKind::Unsigned},
    DTypeInfo{DType::I32, "i32", 4, NumberKind::Signed},
    DTypeInfo{DType::U32, "u32", 4, NumberKind::Unsigned},
    DTypeInfo{DType::F16, "f16", 2, NumberKind::Float},
    DTypeInfo{DType::BF16, "bf16", 2, NumberKind::Float},
    DTypeInfo{DType::F32, "f32", 4, NumberKind::Float},
    DTypeInfo{DType::F8E4M3, "f8e4m3", 1, NumberKind::Opaque},
    DTypeInfo{DType::F8E5M2, "f8e5m2", 1, NumberKind::Opaque},
    DTypeInfo{DType::HIF8, "hif8", 1, NumberKind::Opaque},
};

inline constexpr DTypeInfo kNoDType = {DType::I8, "nothing", 1, NumberKind::Opaque};

constexpr const DTypeInfo& info_of(DType dtype) { return row_of(kDTypes, dtype, kNoDType); }
constexpr std::string_view name_of(DType dtype) { return info_of(dtype).name; }
constexpr std::int64_t size_of(DType dtype) { return info_of(dtype).size; }

constexpr std::optional<DType> dtype_named(std::string_view name) {
  for (const DTypeInfo& info : kDTypes) {
    if (info.name == name) return info.dtype;
  }
  return std::nullopt;
}

}  // namespace pto::jit
