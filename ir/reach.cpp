// Also whether the units of a plan can overlap on the addressed side.
#include "ir/reach.h"

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

// Behind the last byte of `bytes` that are repeated; 0 when there are none.
std::int64_t end_of(std::int64_t bytes, std::initializer_list<Stride> strides) {
  for (const Stride& stride : strides) {
    if (bytes <= 0 || stride.count <= 0) return 0;
    bytes = saturating_sum(bytes, saturating_product(stride.step, stride.count - 1));
  }
  return std::max<std::int64_t>(bytes, 0);
}

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

// Whether runs of so many bytes, repeated by each of the strides, never touch.
bool are_apart(std::int64_t run, std::vector<Stride> strides) {
  std::sort(strides.begin(), strides.end(),
            [](const Stride& a, const Stride& b) { return a.step < b.step; });
  std::int64_t covered = run;
  for (const Stride& stride : strides) {
    if (stride.count <= 1) continue;
    if (stride.step < covered) return false;
    covered = saturating_sum(covered, saturating_product(stride.step, stride.count - 1));
  }
  return true;
}

bool units_are_apart(const KernelPlan& plan) {
  return are_apart(plan.unit.run.factor,
                   strides_of(plan, [](const Amount& amount) { return amount.factor; }));
}

// A single pitch that is the unit itself keeps units apart whatever its value.
bool pitch_is_unit(const KernelPlan& plan) {
  if (plan.digit_count != 1) return false;
  const Repeat& inner = plan.unit.inner;
  const bool is_flat = inner.count.is(1) || inner.table_step == plan.unit.run;
  return is_flat && plan.unit.outer.count.is(1) &&
         plan.digits[0].step == plan.unit.run * inner.count;
}

// Where columns come in blocks, the last block may be a part of one.
template <class Value>
std::int64_t turns_of(const KernelPlan& plan, std::size_t depth, Value&& value) {
  const std::int64_t extent = value(plan.levels[depth].extent);
  const std::int64_t columns = value(plan.levels[0].extent);
  if (plan.block == 0 || columns == 0) return extent;
  if (depth == 0) return (columns + plan.block - 1) / plan.block;
  return depth + 1U == plan.level_count ? (columns - 1) % plan.block + 1 : extent;
}

// What the positions of a walk reach, the addressed side where they lead there themselves.
template <class Value>
Reach reach_of_walk(const KernelPlan& plan, Value&& value) {
  const auto [run, inner, outer] = plan.unit;
  Reach out{.walked = end_of(value(run), {{value(inner.tile_step), value(inner.count)},
                                          {value(outer.tile_step), value(outer.count)}}),
            .index = plan.index_size,
            .addressed = end_of(value(run), {{value(inner.table_step), value(inner.count)},
                                             {value(outer.table_step), value(outer.count)}})};
  for (std::size_t depth = 0; depth < plan.level_count; ++depth) {
    const Level& level = plan.levels[depth];
    const std::int64_t turns = turns_of(plan, depth, value);
    out.walked = end_of(out.walked, {{value(level.tile_step), turns}});
    out.index = end_of(out.index, {{level.index_step, turns}});
    out.addressed = end_of(out.addressed, {{value(level.table_step), turns}});
  }
  if (out.addressed > 0) out.addressed += plan.table_base;
  if (plan.ranks > 0) out.walked = end_of(out.walked, {{value(plan.rank_step), plan.ranks}});
  return out;
}

}  // namespace

bool slots_are_independent(const KernelPlan& plan) {
  const bool replaces =
      plan.direction == Direction::ToTable && plan.has_index() && plan.combine == Atomic::None;
  if (!replaces) return false;
  return pitch_is_unit(plan) || (is_static(plan) && units_are_apart(plan));
}

Reach reach_of(const KernelPlan& plan, const Frame& frame) {
  const auto value = [&](const Amount& amount) { return value_in(frame, amount); };
  Reach out;
  if (value(plan.gate) != 0) out = reach_of_walk(plan, value);
  if (plan.has_index()) out.addressed = table_reach(plan, frame);
  if (plan.audit.is_on) {
    const AuditWalk& audit = plan.audit;
    out.index = std::max(out.index, end_of(plan.index_size, {{audit.row_step, value(audit.rows)},
                                                             {audit.col_step, value(audit.cols)}}));
  }
  std::int64_t& written = plan.direction == Direction::ToTable ? out.addressed : out.walked;
  written = std::max(written, plan.fill_bytes);
  return out;
}

bool writes_are_apart(const KernelPlan& plan, const Frame& frame) {
  const auto value = [&](const Amount& amount) { return value_in(frame, amount); };
  const bool to_table = plan.direction == Direction::ToTable;
  if (to_table && plan.has_index()) return are_apart(value(plan.unit.run), strides_of(plan, value));
  std::vector<Stride> strides;
  for (const Repeat* repeat : {&plan.unit.inner, &plan.unit.outer}) {
    const Amount& step = to_table ? repeat->table_step : repeat->tile_step;
    strides.push_back({value(step), value(repeat->count)});
  }
  for (std::size_t depth = 0; depth < plan.level_count; ++depth) {
    const Level& level = plan.levels[depth];
    const bool is_blocked = plan.block > 0 && depth == 0;
    const std::int64_t turns = is_blocked ? turns_of(plan, depth, value) : value(level.extent);
    strides.push_back({value(to_table ? level.table_step : level.tile_step), turns});
  }
  return are_apart(value(plan.unit.run), std::move(strides));
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
