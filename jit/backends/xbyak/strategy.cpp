#include "jit/backends/xbyak/strategy.h"

#include <algorithm>
#include <bit>

#include "ir/plan_facts.h"
#include "ir/walk.h"
#include "jit/backends/xbyak/strategy_forms.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kSeenSlots = 16384;  // a bit each, on the stack
constexpr std::int64_t kWorthSeeing = 256;  // bytes of a unit below which copying it is cheaper
constexpr std::int64_t kCrowded = 200;      // indices for 100 slots
constexpr std::int64_t kWorthAside = 512;  // bytes of a unit beyond which a jump over it is cheaper
constexpr std::int64_t kWorthAsideOfSums = 128;  // the same of combined ones, which have one a lane
constexpr std::int64_t kWorthOver = 256;  // bytes of a unit from which a jump over four is cheaper
constexpr std::int64_t kWorthOverSums = 64;
constexpr std::int64_t kStrip = 256;    // indices
constexpr std::int64_t kFewGroups = 4;  // which gain less than another loop takes to make
constexpr std::int64_t kLine = 64;
constexpr std::int64_t kLongRow = 2048;     // bytes
constexpr std::int64_t kNearHalves = 128;   // bytes
constexpr std::int64_t kFarHalves = 512;    // bytes
constexpr std::int64_t kRowOfItsOwn = 512;  // bytes
constexpr std::int64_t kRowOfFew = 256;     // bytes
constexpr std::int64_t kFewRows = 8;
constexpr std::int64_t kMostLines = 32;
constexpr std::int64_t kNearDistance = 4;  // indices, and so the others
constexpr std::int64_t kDistance = 16;
constexpr std::int64_t kFarDistance = 128;
constexpr std::int64_t kOwnDistance = 64;  // of a part's own among all

bool moves_rows(const KernelPlan& plan) {
  return plan.combine == Atomic::None && indices_come_in_groups(plan) && !moves_elements(plan);
}

// Of a table that shares the first cache with its tile.
std::int64_t near_bytes(const HostFeatures& host) {
  return static_cast<std::int64_t>(host.l1d / 2);
}

bool is_near(const KernelPlan& plan, const HostFeatures& host) {
  const std::int64_t near = near_bytes(host);
  return table_bytes(plan).value_or(near + 1) <= near;
}

// Beyond the first cache, within the last, which holds other things too.
bool lies_in_caches(const KernelPlan& plan, const HostFeatures& host) {
  const std::int64_t bytes = table_bytes(plan).value_or(0);
  return bytes > near_bytes(host) && bytes <= static_cast<std::int64_t>(host.l3) / 2;
}

bool has_few_rows(const KernelPlan& plan) {
  const Amount& extent = innermost(plan).extent;
  return extent.is_static() && extent.factor <= kFewRows;
}

// One copy of the code for all rows: hardware that fetches ahead of a load which it has met before
// goes beyond the row's end, once for each load. And few rows are over before a group has begun.
bool goes_row_by_row(const KernelPlan& plan, const HostFeatures& host) {
  if (!host.amd_core || !moves_rows(plan) || !plan.unit.run.is_static()) return false;
  const std::int64_t run = longest_run(plan);
  const bool is_far = table_bytes(plan).value_or(0) > static_cast<std::int64_t>(host.l2);
  return (run >= kRowOfItsOwn && lies_in_caches(plan, host)) ||
         (run >= kRowOfFew && is_far && has_few_rows(plan));
}

// Fewer indices than a group has are half of one and a rest.
std::int64_t fitting_group(const KernelPlan& plan, UnitForm form, std::int64_t group) {
  constexpr std::int64_t kHalf = 4;
  const KernelPlan walked = walked_by(form, plan);
  const Amount& extent = innermost(walked).extent;
  const bool can_halve =
      form == UnitForm::Lanes || (form == UnitForm::Picks && plan.element_size > 1);
  const bool is_less = extent.is_static() && extent.factor < group && extent.factor >= kHalf;
  return can_halve && is_less ? kHalf : group;
}

void choose_form(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                 Strategy& out) {
  const FormRow& row = form_row(plan, host, wish.form);
  out.form = row.form;
  out.masks_rest = out.avx512 && row.masks_rest;
  std::int64_t group = fitting_group(plan, out.form, row.group(plan, out.avx512 ? 64 : 32));
  const std::int64_t most = goes_row_by_row(plan, host) ? 1 : group;
  if (out.form == UnitForm::Lanes) group = std::min(group, wish.group.value_or(most));
  out.group = static_cast<std::uint8_t>(group);
}

bool has_rows_ahead(const KernelPlan& plan, std::int64_t ahead) {
  const Amount& extent = innermost(plan).extent;
  return !extent.is_static() || extent.factor >= ahead;
}

// How far ahead rows are asked for, how many lines of each, in tables of more than how many bytes.
struct Ahead {
  std::int64_t indices = 0;
  std::int64_t lines = 1;
  std::int64_t from = 0;
};

// Rows that are written are asked for whole while the table is near, and elsewhere by their first
// line, to which the hardware adds the others. Rows of one line are asked for only when it is far,
// and long ones the hardware fetches sooner than this would.
Ahead ahead_of_scatter(const KernelPlan& plan, const HostFeatures& host) {
  const std::int64_t near = near_bytes(host);
  const auto far = static_cast<std::int64_t>(host.l2);
  const std::int64_t run = longest_run(plan);
  if (run <= kLine || table_bytes(plan).value_or(0) > far) return {kDistance, 1, far};
  if (host.amd_core || (plan.unit.run.is_static() && run >= kLongRow)) return {};
  return {kNearDistance, std::min((run - 1) / kLine + 1, kMostLines), near};
}

// Of rows that AMD's cores read they keep as many in flight by themselves, unless a row is about a
// line and the table far.
bool finds_rows_itself(const KernelPlan& plan, const HostFeatures& host) {
  const std::int64_t run = longest_run(plan);
  const bool is_middling = run > kLine / 2 && run < kRowOfItsOwn;
  return host.amd_core && (run <= kLine / 4 || (lies_in_caches(plan, host) && !is_middling));
}

// Rows that are read are asked for when the table is far, by their first line; short ones, which
// the hardware does not fetch by itself, long before. A call of few rows would be over before its
// first one were asked for.
Ahead ahead_of_gather(const KernelPlan& plan, const HostFeatures& host) {
  const auto from = static_cast<std::int64_t>(host.l2);
  const std::int64_t run = longest_run(plan);
  if (finds_rows_itself(plan, host)) return {};
  const std::int64_t far = host.amd_core ? kFarAhead : kFarDistance;
  const bool is_within = host.amd_core && lies_in_caches(plan, host);
  if (run <= kLine && !is_within && has_rows_ahead(plan, 2 * far)) return {far, 1, from};
  const std::int64_t distance = run < kLongRow ? kDistance : 2 * kDistance;
  return {has_rows_ahead(plan, 8 * distance) ? distance : kNearDistance, 1, from};
}

void choose_prefetch(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                     Strategy& out) {
  if (out.form == UnitForm::Own && plan.digit_count == 1 && plan.index_size == 4)
    out.own_ahead = static_cast<std::uint8_t>(wish.prefetch.value_or(kOwnDistance));
  if (!out.avx2 || !moves_rows(plan) || plan.own.is_on) return;
  Ahead ahead = plan.direction == Direction::ToTable ? ahead_of_scatter(plan, host)
                                                     : ahead_of_gather(plan, host);
  if (wish.prefetch || wish.lines)
    ahead = {wish.prefetch.value_or(ahead.indices), wish.lines.value_or(ahead.lines), 0};
  const bool is_near = table_bytes(plan).value_or(ahead.from + 1) <= ahead.from;
  if (ahead.indices == 0 || is_near || !has_rows_ahead(plan, out.group + ahead.indices)) return;
  out.prefetch = static_cast<std::uint8_t>(ahead.indices);
  out.lines = static_cast<std::uint8_t>(ahead.lines);
  out.prefetch_from = ahead.from;
}

// Into a table only whole lines, for elsewhere rows meet in one.
bool can_stream_table(const KernelPlan& plan, std::int64_t from) {
  const Amount& step = plan.digits[0].step;
  const bool is_whole = plan.unit.run.factor % kLine == 0 && step.factor % kLine == 0;
  const bool is_large = table_bytes(plan).value_or(from) >= from;
  return plan.unit.run.is_static() && is_whole && step.is_static() && is_large;
}

bool can_stream_tile(const KernelPlan& plan, std::int64_t from) {
  const Amount written = plan.unit.run * innermost(plan).extent;
  return longest_run(plan) >= kStreamedRow && (!written.is_static() || written.factor >= from);
}

bool can_stream_slices(const KernelPlan& plan, std::int64_t from) {
  return longest_run(plan) >= kStreamedRow && written_to_ranks(plan).value_or(from) >= from;
}

// Slices are read once and written once, so that half of the cache holds no more of them.
void choose_stream_to_ranks(const KernelPlan& plan, const HostFeatures& host,
                            const StrategyWish& wish, Strategy& out) {
  const std::int64_t from = wish.stream_from.value_or(static_cast<std::int64_t>(host.l3) / 2);
  if (out.avx512 && from > 0 && can_stream_slices(plan, from)) out.stream_from = from;
}

void choose_stream(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  if (plan.ranks > 0) return choose_stream_to_ranks(plan, host, wish, out);
  const bool is_scatter = plan.direction == Direction::ToTable;
  const auto cache = static_cast<std::int64_t>(host.l3);
  const std::int64_t from = wish.stream_from.value_or(is_scatter ? 2 * cache : cache);
  const bool is_row = moves_rows(plan) && plan.unit.inner.count.is(1);
  if (!out.avx512 || out.group == 1 || from == 0 || !is_row) return;
  if (is_scatter ? can_stream_table(plan, from) : can_stream_tile(plan, from))
    out.stream_from = from;
}

void choose_string(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  if (!wish.string_from && is_near(plan, host)) return;
  const std::int64_t from = wish.string_from.value_or(static_cast<std::int64_t>(host.string_from));
  if (plan.combine == Atomic::None && longest_run(plan) >= from) out.string_from = from;
}

// A skipped unit is written, a cleared one read, somewhere else: a run in one piece.
bool has_units_aside(const KernelPlan& plan, std::int64_t most) {
  const bool writes = plan.direction == Direction::ToTable && plan.oob == Oob::Skip;
  const bool reads = plan.direction == Direction::ToTile && plan.oob == Oob::Zero;
  const MoveUnit& unit = plan.unit;
  const bool is_short =
      unit.run.is_static() ? unit.run.factor <= most : plan.combine == Atomic::None;
  return (writes || reads) && is_one_run(plan) && is_short;
}

void choose_aside(const KernelPlan& plan, const StrategyWish& wish, Strategy& out) {
  const std::int64_t chosen = plan.combine == Atomic::None ? kWorthAside : kWorthAsideOfSums;
  // Longer ones of any length are copied by a loop.
  const std::int64_t vector = out.avx512 ? 64 : out.avx2 ? 32 : 16;
  const std::int64_t longest = plan.unit.run.is_static() ? Strategy::kMostAside : 8 * vector;
  const std::int64_t most = std::min(wish.aside.value_or(chosen), longest);
  const bool is_taken_apart =
      out.form == UnitForm::Lanes || out.form == UnitForm::Picks || out.form == UnitForm::Batches;
  if (is_taken_apart && has_units_aside(plan, most)) out.aside = most;
}

// A guess that fails costs as much as a few units. What is read aside would have to be cleared, and
// of a capacity beyond 32 bits lanes cannot tell.
void choose_over(const KernelPlan& plan, const StrategyWish& wish, Strategy& out) {
  const std::int64_t chosen = plan.combine == Atomic::None ? kWorthOver : kWorthOverSums;
  const std::int64_t from = wish.over.value_or(chosen);
  out.over = out.avx2 && out.form == UnitForm::Lanes && out.aside > 0 && out.group > 1 &&
             plan.oob == Oob::Skip && plan.capacity.is_static() && plan.unit.run.is_static() &&
             from > 0 && plan.unit.run.factor >= from;
}

// Where indices do not come in groups, nothing resolves them as lanes, or a part's own are to be
// told from the others.
void choose_singles(const KernelPlan& plan, Strategy& out) {
  const bool is_taken_apart = out.form == UnitForm::Lanes || out.form == UnitForm::Picks;
  const bool lie_apart = !indices_come_in_groups(plan) || goes_across(out.form, plan);
  out.singles = is_taken_apart && (!out.avx2 || lie_apart || plan.own.is_on);
}

// Wide cores load a row of one line so soon that loads of indices are in its way.
void choose_vector(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  const bool is_better =
      host.wide_core && plan.direction == Direction::ToTile && plan.unit.run.is(kLine);
  out.vector = out.form == UnitForm::Lanes && out.avx2 && out.group > 1 && !plan.own.is_on &&
               moves_rows(plan) && plan.digit_count == 1 &&
               wish.vector.value_or(is_better ? 1 : 0) == 1;
}

// Indices in range stay in memory, from where they are taken sooner than from a vector. Rows of any
// length have so many ways already.
void choose_scan(const KernelPlan& plan, const StrategyWish& wish, Strategy& out) {
  const bool resolves = plan.oob == Oob::Clamp || plan.oob == Oob::Wrap;
  const bool is_taken_apart = out.form == UnitForm::Lanes || out.form == UnitForm::Picks;
  const bool may_look = out.avx2 && out.group > 1 && !out.vector && !out.singles &&
                        is_taken_apart && plan.unit.run.is_static() && plan.digit_count == 1 &&
                        indices_come_in_groups(plan) && !plan.own.is_on;
  const Amount& extent = innermost(plan).extent;
  const bool is_long =
      plan.level_count > 1 || !extent.is_static() || extent.factor >= kFewGroups * out.group;
  out.scan = resolves && may_look && wish.scan.value_or(is_long ? 1 : 0) == 1;
}

// Resolved by whole vectors and written to the stack, indices are taken from there like those in
// range; scattered rows keep stores busy already. Rows that are asked for ahead of time have their
// indices where they lie.
void choose_strip(const KernelPlan& plan, const StrategyWish& wish, Strategy& out) {
  const std::int64_t lanes = out.avx512 ? 16 : 8;
  const bool is_better = plan.direction == Direction::ToTile || moves_elements(plan);
  const std::int64_t chosen = is_better ? kStrip : 0;
  const std::int64_t strip = wish.strip.value_or(chosen) / lanes * lanes;
  const Amount& extent = innermost(plan).extent;
  const bool is_long = !extent.is_static() || extent.factor >= 2 * lanes;
  if (out.scan && out.prefetch == 0 && plan.index_size == 4 && is_long) out.strip = strip;
}

// A read of a whole line waits for each earlier store anywhere that lies alike within its page, and
// rows that are written where indices say leave many of those. Rows of whole lines in the first
// cache leave few, so wide cores gain nothing.
void choose_halves(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                   Strategy& out) {
  if (!out.avx512 || !moves_rows(plan) || plan.direction != Direction::ToTable) return;
  const bool is_whole = plan.unit.run.factor % kLine == 0;
  const std::int64_t near = host.wide_core ? 0 : kNearHalves;
  const std::int64_t chosen = is_near(plan, host) && is_whole ? near : kFarHalves;
  const std::int64_t most = wish.halves.value_or(chosen);
  const std::int64_t shortest = plan.unit.run.is_static() ? plan.unit.run.factor : kLine;
  if (longest_run(plan) >= kLine && shortest <= most) out.halves = most;
}

// Pieces of half a line cross fewer lines, but where rows lie by halves of lines there are more.
void choose_whole(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish,
                  Strategy& out) {
  const std::int64_t run = plan.unit.run.factor;
  const bool is_between = plan.unit.run.is_static() && run > kLine && run < 2 * kLine;
  const bool is_better = host.wide_core && is_near(plan, host) && run % (kLine / 2) == 0;
  out.whole = out.avx512 && is_between && plan.combine == Atomic::None &&
              wish.whole.value_or(is_better ? 1 : 0) == 1;
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
  return slots_are_independent(plan) && !plan.own.is_on && plan.level_count == 1 &&
         plan.block == 0 && plan.levels[0].tile_step.is_static() && fits;
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
  choose_singles(plan, out);
  choose_vector(plan, host, wish, out);
  choose_prefetch(plan, host, wish, out);
  choose_aside(plan, wish, out);
  choose_over(plan, wish, out);
  choose_scan(plan, wish, out);
  choose_strip(plan, wish, out);
  choose_halves(plan, host, wish, out);
  choose_whole(plan, host, wish, out);
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
