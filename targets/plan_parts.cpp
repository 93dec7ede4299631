#include "targets/plan_parts.h"

#include <utility>

namespace pto::jit {
namespace {

bool continues(const Level& outer, const Level& inner) {
  const Amount index_span = inner.extent * inner.index_step;
  return index_span.is(outer.index_step) && outer.tile_step == inner.extent * inner.tile_step &&
         outer.table_step == inner.extent * inner.table_step;
}

}  // namespace

TileSteps steps_of(const Tile& tile) {
  const std::int64_t size = size_of(tile.dtype);
  if (tile.layout == TileLayout::ColMajor) return {size, tile.rows * size};
  return {tile.cols * size, size};
}

std::array<Amount, 5> steps_of(const KernelSpec& spec, Role role) {
  const Table& table = table_of(spec, role);
  const bool is_stated = has_strides(table);
  std::array<Amount, 5> out;
  Amount packed = size_of(table.dtype);
  for (int dim = 4; dim >= 0; --dim) {
    Amount& step = out[static_cast<std::size_t>(dim)];
    step = is_stated ? amount_of(spec, first_stride(role) + dim) * size_of(table.dtype) : packed;
    if (!is_stated) packed = packed * amount_of(spec, first_extent(role) + dim);
  }
  return out;
}

void WalkBuilder::add(const Level& level) {
  if (level.extent.is(1)) return;
  if (plan_.level_count > 0 && continues(plan_.levels[plan_.level_count - 1], level)) {
    Level& outer = plan_.levels[plan_.level_count - 1];
    const Amount joined = outer.extent * level.extent;
    outer = level;
    outer.extent = joined;
    return;
  }
  plan_.levels[plan_.level_count++] = level;
}

void WalkBuilder::finish() {
  if (plan_.level_count == 0) plan_.levels[plan_.level_count++] = Level{};
}

void AddressBuilder::add(const Amount& radix, const Amount& step) {
  if (radix.is(1)) return;
  if (plan_.digit_count > 0) {
    Digit& below = plan_.digits[plan_.digit_count - 1];
    if (step == below.radix * below.step) {
      below.radix = below.radix * radix;
      return;
    }
  }
  plan_.digits[plan_.digit_count++] = {radix, step};
}

void set_unit(KernelPlan& plan, const MoveUnit& unit) {
  plan.unit = unit;
  if (plan.unit.inner.count.is(1)) plan.unit.inner = std::exchange(plan.unit.outer, {});
  if (plan.unit.inner.count.is(1)) plan.unit.inner = {};
  if (plan.unit.outer.count.is(1)) plan.unit.outer = {};
  const Repeat& inner = plan.unit.inner;
  const bool is_contiguous = inner.table_step == plan.unit.run && inner.tile_step == plan.unit.run;
  if (!inner.count.is(1) && is_contiguous) {
    plan.unit.run = plan.unit.run * inner.count;
    plan.unit.inner = std::exchange(plan.unit.outer, {});
  }
}

}  // namespace pto::jit
