#include "tests/xbyak/mutant_conditions.h"

#include <algorithm>
#include <bit>

#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/plan_facts.h"
#include "ir/storage.h"
#include "tests/xbyak/mutant_bindings.h"

namespace pto::jit::tests {
namespace {

bool is_whole_groups(const KernelPlan& plan, int group) {
  const Amount& extent = innermost(plan).extent;
  return group > 1 && extent.is_static() && extent.factor % group == 0;
}

Frame frame_of(const Suspect& s) {
  Frame frame;
  frame.extents = extents_of(s.sample.entry.bound);
  return frame;
}

}  // namespace

bool skips(const Suspect& s) { return s.sample.plan.oob == Oob::Skip; }
bool wraps(const Suspect& s) { return s.sample.plan.oob == Oob::Wrap; }
bool is_undefined(const Suspect& s) { return s.sample.plan.oob == Oob::Undefined; }
bool checks_indices(const Suspect& s) { return !is_undefined(s); }
bool zeroes(const Suspect& s) { return s.sample.plan.oob == Oob::Zero; }
bool zeroes_nothing(const Suspect& s) { return !zeroes(s); }
bool replaces(const Suspect& s) { return s.sample.plan.combine == Atomic::None; }
bool replaces_blocks(const Suspect& s) { return replaces(s) && s.sample.plan.block > 0; }
bool has_runtime_runs(const Suspect& s) { return !s.sample.plan.unit.run.is_static(); }
bool copies_runtime_runs(const Suspect& s) { return replaces(s) && has_runtime_runs(s); }

// Clears around spread elements count as runs too.
bool fills_runtime_runs(const Suspect& s) { return copies_runtime_runs(s) || spreads(s); }

bool leaves_some_over(const Suspect& s) {
  const Amount& extent = innermost(s.sample.plan).extent;
  return extent.is_static() && extent.factor % s.sample.strategy.group != 0;
}

// The longest run is at most two vectors.
bool has_short_runs(const Suspect& s) {
  const std::int64_t vector = s.sample.strategy.avx512 ? 64 : s.sample.strategy.avx2 ? 32 : 16;
  const Tile& tile = s.sample.entry.spec.data;
  return copies_runtime_runs(s) && tile.cols * size_of(tile.dtype) <= 2 * vector;
}

// Each slot begins at an entry of its own in the audit's hash table.
bool slots_share_no_entry(const Suspect& s) {
  const KernelPlan& plan = s.sample.plan;
  const Frame frame = frame_of(s);
  const std::int64_t indices = value_in(frame, plan.audit.rows) * value_in(frame, plan.audit.cols);
  const auto entries = std::bit_floor(static_cast<std::uint64_t>(2 * indices + 1)) * 2;
  return plan.capacity.is_static() && static_cast<std::uint64_t>(plan.capacity.factor) <= entries;
}

bool masks_what_is_left(const Suspect& s) {
  const bool is_masked = s.sample.strategy.form == UnitForm::Gather ||
                         s.sample.strategy.form == UnitForm::Scatter ||
                         s.sample.strategy.form == UnitForm::Registers;
  return s.sample.strategy.avx512 && is_masked;
}

// A multiplier for single indices, which are left only where groups are refused; lanes need no more
// than its upper half.
// Of indices, in each of the loops that go through them.
bool has_one_vector(const Suspect& s) {
  const KernelSpec& spec = s.sample.entry.spec;
  const int lanes = s.sample.strategy.avx512 ? 16 : 8;
  const bool is_row = spec.coalesce == Coalesce::Row;
  return (is_row ? std::max(spec.index.rows, spec.index.cols) : spec.data.cols) < 2 * lanes;
}

bool divides_lanes(const Suspect& s) {
  const KernelPlan& plan = s.sample.plan;
  const bool has_digits = plan.digit_count > 1 && indices_come_in_groups(plan);
  return (wraps(s) || has_digits) &&
         (masks_what_is_left(s) || is_whole_groups(s.sample.plan, s.sample.strategy.group));
}

bool is_idempotent(const Suspect& s) { return s.sample.plan.combine != Atomic::Add; }
bool has_many_slots(const Suspect& s) {
  return s.sample.strategy.form == UnitForm::Gather && s.sample.plan.capacity.factor > 3;
}
bool multiplies_extents(const Suspect& s) { return s.sample.plan.capacity.count > 1; }
bool splits_at_run_time(const Suspect& s) {
  return s.sample.plan.digit_count > 1 && !digits_are_known(s.sample.plan);
}
bool makes_batches(const Suspect& s) { return s.sample.strategy.form == UnitForm::Batches; }
bool chooses_string(const Suspect& s) {
  return s.sample.strategy.string_from > 0 && copies_runtime_runs(s);
}
bool streams(const Suspect& s) { return s.sample.strategy.stream_from > 0; }
bool streams_long_rows(const Suspect& s) {
  return s.sample.entry.spec.data.rows * 64 < s.sample.strategy.stream_from;
}
bool streams_out_of_reach(const Suspect& s) { return s.sample.strategy.stream_from > 1 << 20; }

bool goes_backward(const Suspect& s) { return s.sample.strategy.backward > 0; }
bool goes_forward_too(const Suspect& s) {
  return goes_backward(s) && !dims_read(s.sample.plan).empty();
}

// Newest first, the slots there can then be have bits in one word.
bool shares_a_word(const Suspect& s) {
  const KernelPlan& plan = s.sample.plan;
  const Frame frame = frame_of(s);
  if (!goes_backward(s)) return false;
  if (plan.capacity.is_static()) return plan.capacity.factor < 64;
  return value_in(frame, plan.levels[0].extent) * 100 < 64 * s.sample.strategy.backward;
}

bool spreads(const Suspect& s) { return s.sample.strategy.form == UnitForm::Spread; }
// Rows or columns of the tile are left that no element comes to.
bool spreads_less_than_all(const Suspect& s) {
  const KernelSpec& spec = s.sample.entry.spec;
  const std::int64_t filled = std::int64_t{spec.data.rows} * spec.data.cols;
  return spreads(s) &&
         std::int64_t{spec.store.rows} * spec.store.cols > filled * spread_of(s.sample.plan);
}
bool gathers(const Suspect& s) { return s.sample.strategy.form == UnitForm::Gather; }
bool has_spare_table(const Suspect& s) {
  const Sample& sample = s.sample;
  const Frame frame = frame_of(s);
  if (!gathers(s) || !sample.plan.capacity.is_static()) return false;
  if (!has_role(sample.entry.spec.op, Role::Table)) return false;
  return storage_bytes(sample.entry.bound, Role::Table, sample.plan, frame) >=
         value_in(frame, sample.plan.capacity * sample.plan.digits[0].step) + 3;
}
bool prefetches(const Suspect& s) { return s.sample.strategy.prefetch > 0; }
bool has_spare_indices(const Suspect& s) {
  const Tile& tile = s.sample.entry.bound.index;
  return prefetches(s) && tile.rows * tile.cols >= tile.vr * tile.vc + s.sample.strategy.prefetch;
}

bool is_nop(const Suspect& s) { return s.code[s.at].info.mnemonic == ZYDIS_MNEMONIC_NOP; }
bool is_jump(const Suspect& s) { return jump_target(s.code[s.at]).has_value(); }
bool is_no_jump(const Suspect& s) { return !is_jump(s); }
bool is_dead(const Suspect& s) { return s.flow.is_dead(s.at); }
bool is_repeated(const Suspect& s) { return s.flow.is_repeated(s.at); }

}  // namespace pto::jit::tests
