#include "jit/llvm/group.h"

#include <algorithm>

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kShortRun = 256;  // bytes; the copies of longer ones outweigh their loop

constexpr int kSpreadBytes = 64;  // of the tile, at a time

bool moves_one_run(const KernelPlan& plan) {
  return plan.unit.inner.count.is(1) && plan.unit.outer.count.is(1);
}

// What pays when there are enough indices.
int wanted_group(const KernelPlan& plan) {
  if (spread_distance(plan) > 0) return kSpreadBytes / plan.element_size;
  if (!plan.unit.run.is_static() || !moves_one_run(plan)) return 1;
  const bool is_element = plan.unit.run.is(plan.element_size);
  if (plan.combine != Atomic::None) return is_element && plan.element_size == 4 ? 8 : 1;
  if (is_element) return plan.direction == Direction::ToTile ? 8 : 4;
  return plan.unit.run.factor <= kShortRun ? 4 : 1;
}

}  // namespace

bool moves_elements(const KernelPlan& plan) {
  return plan.unit.run.is(plan.element_size) && moves_one_run(plan);
}

int spread_distance(const KernelPlan& plan) {
  const Level& innermost = plan.levels[plan.level_count - 1u];
  const std::int64_t size = plan.element_size;
  const bool spreads = !plan.has_index() && plan.ranks == 0 && plan.fill_bytes > 0 &&
                       plan.direction == Direction::ToTable && plan.combine == Atomic::None &&
                       moves_elements(plan) && innermost.tile_step.is(size);
  if (!spreads) return 0;
  for (const int distance : {2, 4}) {
    if (innermost.table_step.is(distance * size)) return distance;
  }
  return 0;
}

int group_size(const KernelPlan& plan) {
  const Level& innermost = plan.levels[plan.level_count - 1u];
  int group = wanted_group(plan);
  if (!innermost.extent.is_static()) return group;
  const std::int64_t most = std::max<std::int64_t>(innermost.extent.factor, 1);
  while (group > most) group /= 2;
  return group;
}

}  // namespace pto::jit::llvm_backend
