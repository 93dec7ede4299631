#include "ir/element.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ir/half.h"

namespace pto::jit {
namespace {

std::uint16_t half(ElementBits bits) { return static_cast<std::uint16_t>(bits); }
float single(ElementBits bits) { return std::bit_cast<float>(bits); }

// A broken invariant: no legal spec has such a plan.
[[noreturn]] void refuse(std::string_view what, DType number) {
  const std::string_view name = name_of(number);
  std::fprintf(stderr, "pto-jit: a plan asks for %.*s on %.*s\n", static_cast<int>(what.size()),
               what.data(), static_cast<int>(name.size()), name.data());
  std::abort();
}

}  // namespace

ElementBits sum_of(DType number, ElementBits a, ElementBits b) {
  switch (number) {
    case DType::F32: return std::bit_cast<ElementBits>(single(a) + single(b));
    case DType::F16: return narrow_f16(widen_f16(half(a)) + widen_f16(half(b)));
    case DType::BF16: return narrow_bf16(widen_bf16(half(a)) + widen_bf16(half(b)));
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::I32:
    case DType::U32: return a + b;
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: break;
  }
  refuse("a sum", number);
}

bool is_less(DType number, ElementBits a, ElementBits b) {
  switch (number) {
    case DType::F32: return single(a) < single(b);
    case DType::I32: return std::bit_cast<std::int32_t>(a) < std::bit_cast<std::int32_t>(b);
    case DType::U32: return a < b;
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::F16:
    case DType::BF16:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: break;
  }
  refuse("a comparison", number);
}

}  // namespace pto::jit
