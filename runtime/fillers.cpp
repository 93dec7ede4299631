#include "runtime/fillers.h"

#include <algorithm>
#include <bit>

#include "ir/half.h"
#include "ir/interpreter.h"

namespace pto::jit {

std::uint32_t small_number(DType dtype, std::mt19937& random) {
  const float small = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 64.0f;
  if (dtype == DType::F32) return std::bit_cast<std::uint32_t>(small);
  if (dtype == DType::F16) return narrow_f16(small);
  if (dtype == DType::BF16) return narrow_bf16(small);
  return static_cast<std::uint32_t>(random());
}

std::uint64_t indexed_slots(const KernelPlan& plan, const Frame& frame) {
  const std::int64_t most = plan.index_size == 2 ? 0x10000 : 0xffffffff;
  return static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(value_in(frame, plan.capacity), 0, most));
}

}  // namespace pto::jit
