#include "jit/xbyak/strategy.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ir/walk.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kSeenSlots = 16384;    // a bit each, on the stack
constexpr std::int64_t kWorthSeeing = 256;    // bytes of a unit below which copying it is cheaper
constexpr std::int64_t kRegisterTable = 128;  // bytes: two vectors of 64
constexpr std::int64_t kLine = 64;
constexpr std::int64_t kShortRow = 32;          // bytes
constexpr std::int64_t kPrefetchDistance = 16;  // indices

const Level& innermost(const KernelPlan& plan) { return plan.levels[plan.level_count - 1]; }

bool moves_elements(const KernelPlan& plan) {
  const MoveUnit& unit = plan.unit;
  return unit.run.is(plan.element_size) && unit.inner.count.is(1) && unit.outer.count.is(1);
}

bool has_avx2(const HostFeatures& host) { return host.avx2 && host.f16c && host.bmi2; }
bool has_avx512(const HostFeatures& host) {
  return has_avx2(host) && host.avx512f && host.avx512bw && host.avx512dq && host.avx512vl;
}

// Elements side by side in the tile, so that a vector of them is one load or store.
bool fills_vectors(const KernelPlan& plan) {
  return indices_come_in_groups(plan) && moves_elements(plan) &&
         innermost(plan).tile_step.is(plan.element_size);
}

bool is_scale(const Amount& step) { return step.is(1) || step.is(2) || step.is(4) || step.is(8); }

// Bytes from the table's first to behind its last element, when known.
std::optional<std::int64_t> table_bytes(const KernelPlan& plan) {
  if (!plan.capacity.is_static() || plan.digit_count != 1 || !plan.digits[0].step.is_static())
    return std::nullopt;
  if (plan.capacity.factor > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return (plan.capacity.factor - 1) * plan.digits[0].step.factor + plan.unit.run.factor;
}

bool can_gather(const KernelPlan& plan, const HostFeatures& host) {
  if (plan.direction != Direction::ToTile || !fills_vectors(plan)) return false;
  if (!is_scale(plan.digits[0].step)) return false;
  if (plan.element_size == 4) return has_avx2(host);
  return has_avx512(host) && table_bytes(plan).value_or(4) >= 4;
}

bool can_scatter(const KernelPlan& plan, const HostFeatures& host) {
  return plan.direction == Direction::ToTable && plan.combine == Atomic::None &&
         fills_vectors(plan) && plan.element_size == 4 && is_scale(plan.digits[0].step) &&
         has_avx512(host);
}

bool can_hold_table(const KernelPlan& plan, const HostFeatures& host) {
  return plan.direction == Direction::ToTile && fills_vectors(plan) &&
         plan.digits[0].step.is(plan.element_size) && has_avx512(host) &&
         table_bytes(plan).value_or(kRegisterTable + 1) <= kRegisterTable;
}

bool can_batch(const KernelPlan& plan, const HostFeatures& host) {
  const bool is_half =
      plan.number == DType::BF16 || (plan.number == DType::F16 && !host.avx512fp16);
  return plan.combine == Atomic::Add && is_half && fills_vectors(plan) && has_avx512(host) &&
         host.avx512cd && plan.digits[0].step.is(plan.element_size);
}

// Gather and scatter instructions, tables in registers and spreading take a vector of indices;
// anything else as many as keep the loads in flight.
std::uint8_t group_of(const KernelPlan& plan, const Strategy& strategy) {
  switch (strategy.form) {
    case UnitForm::Gather:
    case UnitForm::Scatter:
    case UnitForm::Registers: return strategy.avx512 ? 16 : 8;
    case UnitForm::Batches: return 8;
    case UnitForm::Spread: {
      const int wide = strategy.avx512 ? 64 : 32;
      const int widened = spread_of(plan) * plan.element_size;
      return static_cast<std::uint8_t>(widened > 8 ? 4 : wide / widened);
    }
    case UnitForm::Lanes: break;
  }
  if (!strategy.avx2 || !indices_come_in_groups(plan)) return 1;
  return moves_elements(plan) || longest_run(plan) <= kShortRow ? 8 : 4;
}

UnitForm form_of(const KernelPlan& plan, const HostFeatures& host) {
  if (can_use(plan, host, UnitForm::Spread)) return UnitForm::Spread;
  if (can_use(plan, host, UnitForm::Registers)) return UnitForm::Registers;
  if (host.fast_gather && can_use(plan, host, UnitForm::Gather)) return UnitForm::Gather;
  const bool skips = plan.oob == Oob::Skip;
  if (skips && can_use(plan, host, UnitForm::Scatter)) return UnitForm::Scatter;
  if (can_use(plan, host, UnitForm::Batches)) return UnitForm::Batches;
  return UnitForm::Lanes;
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
  const bool is_whole = plan.unit.run.factor % 64 == 0 && step.factor % 64 == 0;
  const bool is_row = plan.unit.inner.count.is(1) && plan.unit.run.is_static();
  const bool is_large = table_bytes(plan).value_or(from) >= from;
  return replaces_rows(plan) && is_row && is_whole && step.is_static() && is_large;
}

bool wants_backward(const KernelPlan& plan, std::int64_t per_hundred) {
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

}  // namespace

std::string_view reason_for_singles(const KernelPlan& plan) {
  if (!plan.has_index()) return "there are no indices";
  if (plan.digit_count != 1) return "a slot is split into digits";
  if (plan.block > 0) return "columns are walked block by block";
  if (innermost(plan).index_step != plan.index_size) return "indices in order lie apart";
  if (!innermost(plan).tile_step.is_static()) return "the tile's step is known only at run time";
  return {};
}

bool indices_come_in_groups(const KernelPlan& plan) { return reason_for_singles(plan).empty(); }

std::int64_t longest_run(const KernelPlan& plan) {
  if (plan.unit.run.is_static()) return plan.unit.run.factor;
  const Amount& step = innermost(plan).tile_step;
  const bool is_row = plan.has_index() && plan.unit.inner.count.is(1) && step.is_static();
  return is_row ? step.factor : std::numeric_limits<std::int64_t>::max();
}

int spread_of(const KernelPlan& plan) {
  if (plan.has_index() || plan.ranks > 0 || plan.direction != Direction::ToTable) return 0;
  const Level& level = innermost(plan);
  const std::int64_t element = plan.element_size;
  if (!moves_elements(plan) || !level.tile_step.is(element)) return 0;
  for (const int factor : {2, 4}) {
    if (level.table_step.is(factor * element)) return factor;
  }
  return 0;
}

bool can_use(const KernelPlan& plan, const HostFeatures& host, UnitForm form) {
  switch (form) {
    case UnitForm::Lanes: return true;
    case UnitForm::Gather: return can_gather(plan, host);
    case UnitForm::Scatter: return can_scatter(plan, host);
    case UnitForm::Registers: return can_hold_table(plan, host);
    case UnitForm::Spread: return spread_of(plan) > 0 && has_avx2(host);
    case UnitForm::Batches: return can_batch(plan, host);
  }
  __builtin_unreachable();
}

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host,
                         const StrategyWish& wish) {
  Strategy out;
  out.avx2 = has_avx2(host);
  out.avx512 = has_avx512(host);
  out.fp16 = out.avx512 && host.avx512fp16 && plan.number == DType::F16;
  const UnitForm wished = wish.form.value_or(UnitForm::Lanes);
  out.form = wish.form && can_use(plan, host, wished) ? wished : form_of(plan, host);
  out.group = group_of(plan, out);
  if (wish.group && out.form == UnitForm::Lanes)
    out.group = std::min(out.group, static_cast<std::uint8_t>(*wish.group));
  choose_prefetch(plan, host, wish, out);
  const std::int64_t stream = wish.stream_from.value_or(static_cast<std::int64_t>(host.l3) * 2);
  if (out.avx512 && out.group > 1 && stream > 0 && can_stream(plan, stream))
    out.stream_from = stream;
  const std::int64_t string =
      wish.string_from.value_or(static_cast<std::int64_t>(host.string_from));
  if (plan.combine == Atomic::None && longest_run(plan) >= string) out.string_from = string;
  const std::int64_t backward = wish.backward.value_or(is_worth_seeing(plan) ? 200 : 0);
  if (backward > 0 && can_go_backward(plan) && wants_backward(plan, backward))
    out.backward = backward;
  return out;
}

}  // namespace pto::jit
