#include "jit/backends/llvm/choices.h"

#include <algorithm>

#include "ir/plan_facts.h"
#include "ir/walk.h"

namespace pto::jit::llvm_backend {
namespace {

// Bytes.
constexpr std::int64_t kShortRun = 256;      // the copies of longer ones outweigh their loop
constexpr std::int64_t kShortUnit = 128;     // of several runs, the same
constexpr int kSpreadBytes = 64;             // of the tile, at a time
constexpr int kSpreadTurns = 2;              // a turn of less takes longer than its stores
constexpr int kLookedAt = 16;                // indices among which a part's own are looked for
constexpr std::int64_t kWorthScratch = 512;  // of a unit out of range; a jump over more is cheaper
constexpr std::int64_t kWorthScratchOfSums = 128;  // the same of combined ones
constexpr std::int64_t kWorthSeeing = 256;         // of a unit; copying less again is cheaper
constexpr std::int64_t kNearTable = std::int64_t{1} << 20;  // a second cache holds it
constexpr std::int64_t kHugeTable = std::int64_t{1} << 26;  // no cache does
constexpr std::int64_t kLongRow = 2048;
constexpr std::int64_t kSharedTable = 24 << 10;  // the first cache holds it and its tile
constexpr std::int64_t kNearHalves = 128;
constexpr std::int64_t kFarHalves = 512;

constexpr std::int64_t kSeenSlots = 16384;  // a bit each, on the stack

bool fits_registers(const KernelPlan& plan, const Abilities& abilities) {
  return abilities.held_table > 0 && plan.direction == Direction::ToTile && plan.oob != Oob::Skip &&
         plan.has_index() && indices_come_in_groups(plan) && fills_vectors(plan) &&
         plan.digit_count == 1 && plan.digits[0].step.is(plan.element_size) &&
         table_bytes(plan).value_or(abilities.held_table + 1) <= abilities.held_table;
}

bool comes_in_batches(const KernelPlan& plan, const Abilities& abilities) {
  const bool is_widened =
      (plan.number == DType::F16 && !abilities.loads_half) || plan.number == DType::BF16;
  return plan.combine != Atomic::None && is_widened && fills_vectors(plan) &&
         indices_come_in_groups(plan) && (plan.digit_count == 1 || digits_are_known(plan));
}

Form form_of(const KernelPlan& plan, const Abilities& abilities) {
  if (plan.own.is_on) return Form::Lanes;
  if (spread_of(plan) > 0) return Form::Spread;
  if (fits_registers(plan, abilities)) return Form::Registers;
  return comes_in_batches(plan, abilities) ? Form::Batches : Form::Lanes;
}

bool interleaves(const KernelPlan& plan, const Abilities& abilities) {
  return abilities.interleaves > 0 && spread_of(plan) >= abilities.interleaves;
}

// Vectors and zeros of each four lie in neighbouring registers, of which NEON has no more.
int spread_bytes(const KernelPlan& plan, const Abilities& abilities) {
  const bool is_full = interleaves(plan, abilities) && abilities.vector_bytes == 16;
  return is_full ? kSpreadBytes : kSpreadBytes * std::max(kSpreadTurns, abilities.written_out);
}

// Elements by words that are their slots or bytes from the table's start. Lanes of several vectors
// at a time, as many as are written out.
int gathers(const KernelPlan& plan, const Abilities& abilities) {
  const bool is_known = plan.oob != Oob::Zero || plan.capacity.is_static();
  const Amount& step = plan.digits[0].step;
  const bool is_one = plan.digit_count == 1 && (step.is(plan.element_size) || step.is(1));
  const bool has_words = is_one || (digits_are_known(plan) && digits_fit_words(plan));
  return plan.direction == Direction::ToTile && plan.oob != Oob::Skip && plan.has_index() &&
                 fills_vectors(plan) && indices_come_in_groups(plan) && plan.index_size == 4 &&
                 is_known && has_words
             ? abilities.gathers
             : 0;
}

// What pays when there are enough indices.
int wanted_group(const KernelPlan& plan, Form form, const Abilities& abilities) {
  switch (form) {
    case Form::Spread: return spread_bytes(plan, abilities) / plan.element_size;
    case Form::Registers: return plan.element_size == 4 ? 16 : 32;
    case Form::Batches: return 8;
    case Form::Lanes: break;
  }
  if (plan.own.is_on) return indices_are_neighbours(plan) ? kLookedAt : 1;
  const Amount unit = plan.unit.run * plan.unit.inner.count * plan.unit.outer.count;
  if (!is_one_run(plan)) return unit.is_static() && unit.factor <= kShortUnit ? 4 : 1;
  if (const int lanes = gathers(plan, abilities)) return lanes * abilities.written_out;
  if (moves_elements(plan)) return 8;
  const bool is_short = longest_run(plan) <= kShortRun;
  const bool is_static = plan.unit.run.is_static();
  if (plan.combine != Atomic::None) return is_static && is_short ? 4 : 1;
  return is_short || !is_static ? 4 : 1;
}

// A skipped unit is written to a scratch slot, a cleared one read from there. Runs of a length
// known at run time are compared with the bytes of the slot before the loop.
std::int64_t scratch_bytes(const KernelPlan& plan) {
  const bool writes = plan.direction == Direction::ToTable && plan.oob == Oob::Skip;
  const bool reads = plan.direction == Direction::ToTile && plan.oob == Oob::Zero;
  const std::int64_t most = plan.combine == Atomic::None ? kWorthScratch : kWorthScratchOfSums;
  const bool is_short =
      plan.unit.run.is_static() ? plan.unit.run.factor <= most : plan.combine == Atomic::None;
  return (writes || reads) && is_one_run(plan) && is_short ? most : 0;
}

// Indices in range stay in memory, from where they are taken sooner than from a vector.
bool scans(const KernelPlan& plan, const Choices& choices) {
  const bool resolves = plan.oob == Oob::Clamp || plan.oob == Oob::Wrap;
  return resolves && choices.form == Form::Lanes && choices.group > 1 &&
         plan.unit.run.is_static() && plan.digit_count == 1 && indices_come_in_groups(plan);
}

// Where every slot is met twice and more.
bool can_go_backward(const KernelPlan& plan) {
  const Amount unit = plan.unit.run * plan.unit.inner.count * plan.unit.outer.count;
  const Level& level = plan.levels[0];
  const bool is_simple = plan.level_count == 1 && plan.block == 0 && level.tile_step.is_static();
  return slots_are_independent(plan) && !plan.own.is_on && is_simple && unit.is_static() &&
         unit.factor >= kWorthSeeing && plan.capacity.is_static() && level.extent.is_static() &&
         plan.capacity.factor <= kSeenSlots && level.extent.factor >= 2 * plan.capacity.factor;
}

bool moves_rows(const KernelPlan& plan) {
  return plan.combine == Atomic::None && indices_come_in_groups(plan) && !moves_elements(plan) &&
         plan.level_count == 1 && plan.digit_count == 1 && is_one_run(plan);
}

// Rows of a table that no second cache holds. Short ones, which the hardware does not fetch by
// itself, long before.
int rows_ahead(const KernelPlan& plan) {
  const std::int64_t extent = innermost(plan).extent.factor;
  if (!moves_rows(plan) || plan.own.is_on || table_bytes(plan).value_or(0) <= kNearTable) return 0;
  if (!plan.unit.run.is_static() || !innermost(plan).extent.is_static()) return 0;
  const bool is_gather = plan.direction == Direction::ToTile;
  const std::int64_t run = plan.unit.run.factor;
  const int early = is_gather && run <= kLine && extent >= 4 * kFarAhead ? 2 * kFarAhead : 0;
  const int ahead = early > 0 ? early : is_gather && run >= kLongRow ? 32 : 16;
  return extent >= ahead + 4 ? ahead : 0;
}

// A read of a whole line waits for each earlier store anywhere that lies alike within its page, and
// rows that are written where indices say leave many of those.
std::int64_t halves(const KernelPlan& plan) {
  if (!moves_rows(plan) || plan.direction != Direction::ToTable) return 0;
  const bool is_near = table_bytes(plan).value_or(kSharedTable + 1) <= kSharedTable;
  return is_near && plan.unit.run.factor % kLine == 0 ? kNearHalves : kFarHalves;
}

// Whole lines into a table that no cache holds.
bool streams(const KernelPlan& plan, const Abilities& abilities) {
  return abilities.has_streams && moves_rows(plan) && plan.direction == Direction::ToTable &&
         plan.unit.run.is_static() && plan.unit.run.factor % kLine == 0 &&
         plan.digits[0].step.factor % kLine == 0 && plan.table_base % kLine == 0 &&
         table_bytes(plan).value_or(0) >= kHugeTable;
}

}  // namespace

Choices choose(const KernelPlan& plan, const Abilities& abilities) {
  Choices out;
  out.form = form_of(plan, abilities);
  out.group = wanted_group(plan, out.form, abilities);
  out.interleaves = interleaves(plan, abilities);
  out.finds_bytes = abilities.finds_bytes;
  out.finds_greatest = abilities.finds_greatest;
  if (out.form == Form::Lanes && !plan.own.is_on) out.gathers = gathers(plan, abilities);
  const Amount& extent = innermost(plan).extent;
  while (extent.is_static() && out.group > std::max<std::int64_t>(extent.factor, 1)) out.group /= 2;
  out.scans = scans(plan, out);
  out.goes_backward = can_go_backward(plan);
  if (out.goes_backward) return out;
  const bool is_taken_apart = out.form == Form::Lanes || out.form == Form::Batches;
  if (is_taken_apart) out.scratch = scratch_bytes(plan);
  out.halves = halves(plan);
  out.ahead = rows_ahead(plan);
  out.streams = streams(plan, abilities);
  return out;
}

}  // namespace pto::jit::llvm_backend
