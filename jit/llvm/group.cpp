// How many indices the emitter takes at a time: speed only, never meaning.
#include <algorithm>

#include "ir/plan_facts.h"
#include "jit/llvm/llvm_backend.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kShortRun = 256;  // bytes; the copies of longer ones outweigh their loop
constexpr int kSpreadBytes = 64;         // of the tile, at a time

// What pays when there are enough indices.
int wanted_group(const KernelPlan& plan) {
  if (spread_of(plan) > 0) return kSpreadBytes / plan.element_size;
  const bool is_one_run = plan.unit.inner.count.is(1) && plan.unit.outer.count.is(1);
  if (!plan.unit.run.is_static() || !is_one_run) return 1;
  if (plan.combine != Atomic::None) return moves_elements(plan) && plan.element_size == 4 ? 8 : 1;
  if (moves_elements(plan)) return plan.direction == Direction::ToTile ? 8 : 4;
  return plan.unit.run.factor <= kShortRun ? 4 : 1;
}

}  // namespace

int group_size(const KernelPlan& plan) {
  const Amount& extent = innermost(plan).extent;
  int group = wanted_group(plan);
  if (!extent.is_static()) return group;
  while (group > std::max<std::int64_t>(extent.factor, 1)) group /= 2;
  return group;
}

}  // namespace pto::jit::llvm_backend
