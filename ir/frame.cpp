#include "ir/frame.h"

#include "ir/quantity.h"

namespace pto::jit {

std::array<std::int64_t, kDims> extents_of(const KernelSpec& bound) {
  std::array<std::int64_t, kDims> out{};
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    const Role role = role_of(dim);
    if (!has_role(bound.op, role)) continue;
    out[i] = get(bound, dim);
    if (!is_stride(dim)) continue;
    const auto at = i - static_cast<std::size_t>(first_stride(role));
    out[i] = stride_of(table_of(bound, role), at).value;
  }
  return out;
}

Frame frame_of(const KernelSpec& bound) {
  Frame frame;
  frame.extents = extents_of(bound);
  return frame;
}

void set_buffer(Frame& frame, Op op, Role role, void* storage) {
  const Operand* operand = operand_of(op, role);
  switch (operand ? operand->side : Side::None) {
    case Side::Walked: frame.tile = storage; break;
    case Side::Index: frame.index = storage; break;
    case Side::Addressed: frame.table = storage; break;
    case Side::Ranks:
    case Side::None: break;
  }
}

}  // namespace pto::jit
