// Whether a kernel's loops go round often enough, and its indices have enough of a choice, for
// every instruction to matter.
#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/positions.h"
#include "tests/xbyak/mutant_sample.h"

namespace pto::jit::tests {
namespace {

constexpr int kTurns = 4;  // groups that some forms take in one go

std::int64_t vector_bytes(const Strategy& strategy) {
  return strategy.avx512 ? 64 : strategy.avx2 ? 32 : 16;
}

bool levels_repeat(const KernelPlan& plan, const Frame& frame) {
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    const Amount& extent = plan.levels[i].extent;
    const bool is_left_out = extent.is(1) && plan.block == 0;
    if (!is_left_out && value_in(frame, extent) < 2) return false;
  }
  return plan.block == 0 || value_in(frame, plan.levels[0].extent) > plan.block;
}

// The second round of a unit needs what the first one left, the third what the second left.
bool unit_repeats(const MoveUnit& unit, const Frame& frame) {
  const auto repeats = [&](const Amount& rounds) {
    return rounds.is(1) || value_in(frame, rounds) >= 3;
  };
  return repeats(unit.inner.count) && repeats(unit.outer.count);
}

// A loop that is left over is gone round more than once, or not there at all.
bool goes_round(std::int64_t times) { return times != 1; }

// Of the last of several blocks of columns, which may be cut.
std::int64_t columns_left(const KernelPlan& plan, const Frame& frame) {
  return plan.block == 0 ? 0 : (value_in(frame, plan.levels[0].extent) - 1) % plan.block + 1;
}

// Several groups of indices, several in one go where a form takes them so, and several indices left
// over or none.
bool fills_groups(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  const std::int64_t group = strategy.group;
  const Amount& extent = plan.levels[plan.level_count - 1].extent;
  const std::int64_t count = value_in(frame, extent);
  if (group == 1) return true;
  if (!goes_round(columns_left(plan, frame) % group)) return false;
  const bool takes_several = strategy.form == UnitForm::Gather ||
                             strategy.form == UnitForm::Registers ||
                             strategy.form == UnitForm::Spread;
  const std::int64_t turns = takes_several ? kTurns : 1;
  if (!extent.is_static()) return extent.factor == 1 && count >= 2 * turns * group;
  return count >= 2 * group && goes_round(count / (turns * group)) &&
         goes_round(count % (turns * group) / group) && goes_round(count % group);
}

bool audit_repeats(const AuditWalk& audit, const Frame& frame) {
  return !audit.is_on || (value_in(frame, audit.rows) > 1 && value_in(frame, audit.cols) > 1);
}

// Every digit of a slot takes more than one value.
bool digits_vary(const KernelPlan& plan, const Frame& frame) {
  std::int64_t below = 1;
  for (std::size_t i = 0; i + 1 < plan.digit_count; ++i) {
    const std::int64_t radix = value_in(frame, plan.digits[i].radix);
    if (radix < 2 && !plan.digits[i].radix.is(1)) return false;
    below *= radix;
  }
  return value_in(frame, plan.capacity) > below;
}

std::int64_t count_positions(const KernelPlan& plan, const Frame& frame) {
  std::int64_t count = 0;
  for_each_point(plan, frame, Order::Forward, [&](const Point&) { ++count; });
  return count;
}

// Several indices with several slots to choose from. An audit needs more slots than indices, or
// every report would tell of a collision; writers need room, or most are overwritten unseen.
bool has_choice(const KernelPlan& plan, const Frame& frame) {
  constexpr std::int64_t kFewest = 3;
  if (!plan.has_index()) return true;
  const std::int64_t indices = count_positions(plan, frame);
  const std::int64_t slots = value_in(frame, plan.capacity);
  if (plan.audit.counts_collisions && slots < indices) return false;
  if (plan.direction == Direction::ToTable && 2 * slots < indices) return false;
  return indices >= kFewest && slots >= kFewest && digits_vary(plan, frame);
}

// Runs that combine are taken several vectors at a time, then as one vector, then by elements.
bool fills_vectors(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  const std::int64_t run = value_in(frame, plan.unit.run);
  if (plan.combine == Atomic::None || run == plan.element_size) return true;
  const std::int64_t vector = strategy.avx2 ? 32 : plan.element_size;
  return run > vector && (vector == plan.element_size || run % vector > plan.element_size);
}

// Every size of piece that a copy of runtime length is made of can come up, and a loop over the
// largest is gone round.
bool pieces_vary(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  const Amount& run = plan.unit.run;
  const std::int64_t vector = vector_bytes(strategy);
  const std::int64_t longest = value_in(frame, run);
  if (run.is_static()) return true;
  if (strategy.group > 1 && longest < longest_run(plan)) return false;
  return run.factor == plan.element_size && longest > vector &&
         (longest < 8 * vector || longest > 12 * vector);
}

// There can be as many indices as it takes for the newest to come first.
bool can_be_crowded(const KernelPlan& plan, const Frame& frame, std::int64_t per_hundred) {
  const std::int64_t fewest_slots = plan.capacity.factor;
  if (plan.capacity.count > 1) return false;  // a product of extents is seldom that small
  return value_in(frame, plan.levels[0].extent) * 100 >= fewest_slots * per_hundred;
}

// Either side of what is decided at run time can come up: tables are small, runs are short, and
// there are about as many indices as slots.
bool reaches_thresholds(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  constexpr std::int64_t kLargeTable = 4096;
  const Amount& run = plan.unit.run;
  const bool chooses_string = strategy.string_from > 0 && !run.is_static();
  if (strategy.stream_from > kLargeTable && plan.direction == Direction::ToTable) return false;
  if (chooses_string && strategy.string_from < 3 * vector_bytes(strategy)) return false;
  if (chooses_string && strategy.string_from > value_in(frame, run)) return false;
  if (strategy.backward == 0 || dims_read(plan).empty()) return true;
  return strategy.backward >= 100 && can_be_crowded(plan, frame, strategy.backward);
}

}  // namespace

bool is_worth_mutating(const Sample& sample) {
  const KernelPlan& plan = sample.plan;
  const Strategy& strategy = sample.strategy;
  Frame frame;
  frame.extents = extents_of(sample.entry.bound);
  return plan.ranks != 1 && reaches_thresholds(plan, frame, strategy) &&
         levels_repeat(plan, frame) && has_choice(plan, frame) && unit_repeats(plan.unit, frame) &&
         fills_vectors(plan, frame, strategy) && audit_repeats(plan.audit, frame) &&
         pieces_vary(plan, frame, strategy) && fills_groups(plan, frame, strategy);
}

}  // namespace pto::jit::tests
