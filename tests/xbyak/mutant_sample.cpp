#include "tests/xbyak/mutant_sample.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/positions.h"
#include "targets/planner.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kVectorBytes = 32;  // the most a step of a combining run takes

using Kind = std::tuple<Op, Atomic, Oob, bool>;  // the last one: static

Kind kind_of(const GridCase& entry, const KernelPlan& plan) {
  return {entry.spec.op, plan.combine, plan.oob, dims_read(plan).empty()};
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

// Several groups of indices, and several indices left over or none.
bool fills_groups(const KernelPlan& plan, const Frame& frame, std::int64_t group) {
  const Amount& extent = plan.levels[plan.level_count - 1].extent;
  const std::int64_t count = value_in(frame, extent);
  if (group == 1) return true;
  return count >= 2 * group && (extent.is_static() ? count % group != 1 : extent.factor == 1);
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

// Runs that combine are long enough for vectors and leave some elements over.
bool fills_vectors(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  const std::int64_t run = value_in(frame, plan.unit.run);
  if (plan.combine == Atomic::None || run == plan.element_size) return true;
  const std::int64_t vector = strategy.avx2 ? kVectorBytes : plan.element_size;
  return run > vector && (vector == plan.element_size || run % vector > plan.element_size);
}

// Every size of piece that a copy of runtime length is made of can come up.
bool pieces_vary(const KernelPlan& plan, const Frame& frame, const Strategy& strategy) {
  const std::int64_t vector = strategy.avx512 ? 64 : strategy.avx2 ? 32 : 16;
  const Amount& run = plan.unit.run;
  return run.is_static() || (run.factor == plan.element_size && value_in(frame, run) > vector);
}

bool is_worth_mutating(const Sample& sample, const Strategy& strategy) {
  const KernelPlan& plan = sample.plan;
  Frame frame;
  frame.extents = extents_of(sample.entry.bound);
  return plan.ranks != 1 && levels_repeat(plan, frame) && has_choice(plan, frame) &&
         unit_repeats(plan.unit, frame) && fills_vectors(plan, frame, strategy) &&
         audit_repeats(plan.audit, frame) && pieces_vary(plan, frame, strategy) &&
         fills_groups(plan, frame, strategy.group);
}

std::vector<FeatureLevel> levels_of_host() {
  std::vector<FeatureLevel> out;
  for (const FeatureLevel level : kCodeLevels) {
    if (has_level(host_features(), level)) out.push_back(level);
  }
  return out;
}

std::map<Kind, std::vector<Sample>> sort_grid() {
  std::map<Kind, std::vector<Sample>> out;
  for (const GridCase& entry : runnable_grid()) {
    const KernelPlan plan = make_plan(*verify(entry.spec));
    out[kind_of(entry, plan)].push_back({entry, plan, {}});
  }
  return out;
}

// Takes the next sample of a kind that is worth it at this level.
bool draw(std::vector<Sample>& from, FeatureLevel level, std::vector<Sample>& to) {
  for (std::size_t i = from.size(); i-- > 0;) {
    const Strategy strategy = strategy_at(from[i].plan, level);
    if (!is_worth_mutating(from[i], strategy)) continue;
    to.push_back(from[i]);
    to.back().strategy = strategy;
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

}  // namespace

std::vector<Sample> draw_samples(std::size_t count, std::uint32_t seed) {
  std::map<Kind, std::vector<Sample>> kinds = sort_grid();
  const std::vector<FeatureLevel> levels = levels_of_host();
  std::mt19937 random(seed);
  for (auto& [kind, samples] : kinds) std::shuffle(samples.begin(), samples.end(), random);
  std::vector<Sample> out;
  std::size_t turn = 0;
  bool is_any_left = true;
  while (out.size() < count && is_any_left) {
    is_any_left = false;
    for (auto& [kind, samples] : kinds) {
      if (out.size() < count && draw(samples, levels[turn++ % levels.size()], out))
        is_any_left = true;
    }
    ++turn;  // another level for the same kind
  }
  return out;
}

}  // namespace pto::jit::tests
