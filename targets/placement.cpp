#include "targets/placement.h"

#include "ir/quantity.h"

namespace pto::jit {

std::int64_t tile_offset(const KernelSpec& spec, Role role) {
  std::int64_t offset = 0;
  for (const Operand& operand : operands_of(spec.op)) {
    if (operand.role == role) break;
    if (!is_tile(operand.role)) continue;
    const Tile& tile = tile_of(spec, operand.role);
    offset += round_up(std::int64_t{tile.rows} * tile.cols * size_of(tile.dtype), kBlockBytes);
  }
  return offset;
}

}  // namespace pto::jit
