#include "ir/storage.h"

#include <algorithm>
#include <bit>

#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "ir/reach.h"

namespace pto::jit {

std::int64_t storage_bytes(const KernelSpec& bound, Role role, const KernelPlan& plan,
                           const Frame& frame) {
  if (is_tile(role)) return tile_bytes(tile_of(bound, role));
  const Table& table = table_of(bound, role);
  const std::int64_t named = saturating_product(span_of(table).value, size_of(table.dtype));
  return role == Role::Table ? std::max(named, table_reach(plan, frame)) : named;
}

std::int64_t touched_bytes(const KernelSpec& bound, Role role, const KernelPlan& plan,
                           const Frame& frame) {
  const Operand* operand = operand_of(bound.op, role);
  if (!is_tile(role) || operand == nullptr) return storage_bytes(bound, role, plan, frame);
  const Reach reach = reach_of(plan, frame);
  switch (operand->side) {
    case Side::Walked: return reach.walked;
    case Side::Index: return reach.index;
    case Side::Addressed: return reach.addressed;
    case Side::Ranks:
    case Side::None: break;
  }
  return 0;
}

std::int64_t scratch_bytes(const KernelPlan& plan, const Frame& frame) {
  if (!plan.audit.is_on || !plan.audit.counts_collisions) return 0;
  const std::int64_t indices = value_in(frame, plan.audit.rows) * value_in(frame, plan.audit.cols);
  const auto entries = std::bit_floor(static_cast<std::uint64_t>(2 * indices + 1)) * 2;
  return static_cast<std::int64_t>((entries + 1) * sizeof(std::uint64_t));
}

TilePoint point_in(const Tile& tile, std::int64_t element) {
  switch (tile.layout) {
    case TileLayout::RowMajor: return {element / tile.cols, element % tile.cols};
    case TileLayout::ColMajor: return {element % tile.rows, element / tile.rows};
    case TileLayout::Nz: break;
  }
  const std::int64_t width = block_elements(tile.dtype);
  const std::int64_t block = element / (width * tile.rows);
  return {element / width % tile.rows, block * width + element % width};
}

}  // namespace pto::jit
