// How far the units of a plan reach into the addressed side, and whether they can overlap there.
#include <algorithm>

#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "ir/walk.h"

namespace pto::jit {
namespace {

// `count` things, each `step` bytes after the one before.
struct Stride {
  std::int64_t step;
  std::int64_t count;
};

// The strides of everything a plan addresses, values taken by `value`.
template <class Value>
std::vector<Stride> strides_of(const KernelPlan& plan, Value&& value) {
  std::vector<Stride> out;
  std::int64_t left = value(plan.capacity);
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const bool last = i + 1 == plan.digit_count;
    const std::int64_t radix = last ? left : value(plan.digits[i].radix);
    out.push_back({value(plan.digits[i].step), std::max<std::int64_t>(radix, 1)});
    left /= std::max<std::int64_t>(radix, 1);
  }
  for (const Repeat* repeat : {&plan.unit.inner, &plan.unit.outer}) {
    out.push_back({value(repeat->table_step), value(repeat->count)});
  }
  return out;
}

bool is_static(const KernelPlan& plan) { return dims_read(plan).empty(); }

bool units_are_apart(const KernelPlan& plan) {
  std::vector<Stride> strides =
      strides_of(plan, [](const Amount& amount) { return amount.factor; });
  std::sort(strides.begin(), strides.end(),
            [](const Stride& a, const Stride& b) { return a.step < b.step; });
  std::int64_t covered = plan.unit.run.factor;
  for (const Stride& stride : strides) {
    if (stride.count <= 1) continue;
    if (stride.step < covered) return false;
    covered += stride.step * (stride.count - 1);
  }
  return true;
}

// A single pitch that is the unit itself keeps units apart whatever its value.
bool pitch_is_unit(const KernelPlan& plan) {
  if (plan.digit_count != 1) return false;
  const Repeat& inner = plan.unit.inner;
  const bool is_flat = inner.count.is(1) || inner.table_step == plan.unit.run;
  return is_flat && plan.unit.outer.count.is(1) &&
         plan.digits[0].step == plan.unit.run * inner.count;
}

}  // namespace

bool slots_are_independent(const KernelPlan& plan) {
  const bool replaces =
      plan.direction == Direction::ToTable && plan.has_index() && plan.combine == Atomic::None;
  if (!replaces) return false;
  return pitch_is_unit(plan) || (is_static(plan) && units_are_apart(plan));
}

std::int64_t table_reach(const KernelPlan& plan, const Frame& frame) {
  if (!plan.has_index()) return 0;
  const auto value = [&](const Amount& amount) { return value_in(frame, amount); };
  if (value(plan.capacity) <= 0) return 0;
  std::int64_t reach = value(plan.unit.run);
  for (const Stride& stride : strides_of(plan, value)) {
    if (stride.count > 1)
      reach = saturating_sum(reach, saturating_product(stride.step, stride.count - 1));
  }
  return reach;
}

}  // namespace pto::jit
