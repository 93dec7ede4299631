#include "jit/xbyak/strategy.h"

#include <algorithm>

#include "ir/plan_facts.h"
#include "ir/walk.h"
#include "jit/xbyak/strategy_forms.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kSeenSlots = 16384;  // a bit each, on the stack
constexpr std::int64_t kWorthSeeing = 256;  // bytes of a unit below which copying it is cheaper
constexpr std::int64_t kCrowded = 200;      // indices for 100 slots
constexpr std::int64_t kLine = 64;
constexpr std::int64_t kPrefetchDistance = 16;  // indices

void choose_form(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                 Strategy& out) {
  const FormRow& row = form_row(plan, host, wish.form);
  out.form = row.form;
  out.masks_rest = out.avx512 && row.masks_rest;
  std::int64_t group = row.group(plan, out.avx512 ? 64 : 32);
  if (out.form == UnitForm::Lanes) group = std::min(group, wish.group.value_or(group));
  out.group = static_cast<std::uint8_t>(group);
}

bool replaces_rows(const KernelPlan& plan) {
  return plan.direction == Direction::ToTable && plan.combine == Atomic::None &&
         indices_come_in_groups(plan) && !moves_elements(plan);
}

bool has_rows_ahead(const KernelPlan& plan, std::int64_t ahead) {
  const Amount& extent = innermost(plan).extent;
  return !extent.is_static() || extent.factor >= ahead;
}

// Rows of one line, scattered over more than the near caches, are asked for ahead of time; of
// longer ones the hardware fetches the rest sooner than this would.
void choose_prefetch(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                     Strategy& out) {
  const std::int64_t ahead = wish.prefetch.value_or(kPrefetchDistance);
  const std::int64_t from = wish.prefetch ? 0 : static_cast<std::int64_t>(host.l2);
  const bool is_near = table_bytes(plan).value_or(from + 1) <= from;
  const bool is_long = !wish.prefetch && longest_run(plan) > kLine;
  if (ahead == 0 || is_near || is_long || out.group == 1 || !replaces_rows(plan)) return;
  if (!has_rows_ahead(plan, out.group + ahead)) return;
  out.prefetch = static_cast<std::uint8_t>(ahead);
  out.prefetch_from = from;
}

bool can_stream(const KernelPlan& plan, std::int64_t from) {
  const Amount& step = plan.digits[0].step;
  const bool is_whole = plan.unit.run.factor % kLine == 0 && step.factor % kLine == 0;
  const bool is_row = plan.unit.inner.count.is(1) && plan.unit.run.is_static();
  const bool is_large = table_bytes(plan).value_or(from) >= from;
  return replaces_rows(plan) && is_row && is_whole && step.is_static() && is_large;
}

void choose_stream(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  const std::int64_t from = wish.stream_from.value_or(static_cast<std::int64_t>(host.l3) * 2);
  if (out.avx512 && out.group > 1 && from > 0 && can_stream(plan, from)) out.stream_from = from;
}

void choose_string(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  const std::int64_t from = wish.string_from.value_or(static_cast<std::int64_t>(host.string_from));
  if (plan.combine == Atomic::None && longest_run(plan) >= from) out.string_from = from;
}

bool is_crowded(const KernelPlan& plan, std::int64_t per_hundred) {
  const Amount& extent = innermost(plan).extent;
  if (!extent.is_static() || !plan.capacity.is_static()) return true;
  return extent.factor * 100 >= plan.capacity.factor * per_hundred;
}

bool is_worth_seeing(const KernelPlan& plan) {
  const Amount unit = plan.unit.run * plan.unit.inner.count * plan.unit.outer.count;
  return !unit.is_static() || unit.factor >= kWorthSeeing;
}

bool can_go_backward(const KernelPlan& plan) {
  const bool fits = !plan.capacity.is_static() || plan.capacity.factor <= kSeenSlots;
  return slots_are_independent(plan) && plan.level_count == 1 && plan.block == 0 &&
         plan.levels[0].tile_step.is_static() && fits;
}

void choose_backward(const KernelPlan& plan, const StrategyWish& wish, Strategy& out) {
  const std::int64_t from = wish.backward.value_or(is_worth_seeing(plan) ? kCrowded : 0);
  if (from > 0 && can_go_backward(plan) && is_crowded(plan, from)) out.backward = from;
}

}  // namespace

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host,
                         const StrategyWish& wish) {
  Strategy out;
  out.avx2 = has_level(host, FeatureLevel::Avx2);
  out.avx512 = has_level(host, FeatureLevel::Avx512);
  out.fp16 = out.avx512 && host.avx512fp16 && plan.number == DType::F16;
  choose_form(plan, host, wish, out);
  choose_prefetch(plan, host, wish, out);
  choose_stream(plan, host, wish, out);
  choose_string(plan, host, wish, out);
  choose_backward(plan, wish, out);
  return out;
}

FeatureLevel level_of(const Strategy& strategy) {
  if (strategy.avx512) return FeatureLevel::Avx512;
  return strategy.avx2 ? FeatureLevel::Avx2 : FeatureLevel::Baseline;
}

}  // namespace pto::jit
