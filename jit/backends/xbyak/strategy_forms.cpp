#include "jit/backends/xbyak/strategy_forms.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/plan_facts.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kRegisterTable = 128;  // bytes: two vectors of 64
constexpr std::int64_t kShortRow = 32;        // bytes
constexpr std::int64_t kFewSlots = 32;
// Of 64 positions that are written about at once, a displacement of 31 bits reaches the last.
constexpr std::int64_t kFarthestStep = (std::int64_t{1} << 31) / 64;
constexpr int kLane = 4;        // bytes of a vector that an index takes
constexpr int kWidestLane = 8;  // bytes of an element that widening makes room for

bool always(const KernelPlan&, const HostFeatures&) { return true; }

// Spreading.
int widened_bytes(const KernelPlan& plan) { return spread_of(plan) * plan.element_size; }
bool spreads(const KernelPlan& plan, const HostFeatures&) { return spread_of(plan) > 0; }
bool spreads_within_lanes(const KernelPlan& plan, const HostFeatures&) {
  return spread_of(plan) > 0 && widened_bytes(plan) <= kWidestLane;
}

// Elements of a group side by side in the tile, by instructions that multiply the indices.
bool moves_groups_of_elements(const KernelPlan& plan, Direction direction) {
  return plan.direction == direction && !plan.own.is_on && indices_come_in_groups(plan) &&
         fills_vectors(plan);
}

bool lanes_scale(const KernelPlan& plan) {
  return plan.digit_count > 1 || is_scale(plan.digits[0].step);
}

bool fits_registers(const KernelPlan& plan, const HostFeatures&) {
  return moves_groups_of_elements(plan, Direction::ToTile) && plan.digit_count == 1 &&
         plan.digits[0].step.is(plan.element_size) &&
         table_bytes(plan).value_or(kRegisterTable + 1) <= kRegisterTable;
}

bool can_gather(const KernelPlan& plan) {
  return moves_groups_of_elements(plan, Direction::ToTile) && lanes_scale(plan);
}
bool gathers_words(const KernelPlan& plan, const HostFeatures&) {
  return can_gather(plan) && plan.element_size == kLane;
}
// Each with its neighbours, which must be there.
bool gathers_parts_of_words(const KernelPlan& plan, const HostFeatures&) {
  return can_gather(plan) && plan.element_size < kLane &&
         table_bytes(plan).value_or(kLane) >= kLane;
}
// Rows of a block that do not fill a vector are left to lanes.
bool has_fast_gather(const KernelPlan& plan, const HostFeatures& host) {
  const std::int64_t lanes = has_level(host, FeatureLevel::Avx512) ? 16 : 8;
  return host.fast_gather && (plan.digit_count == 1 || innermost(plan).extent.factor >= lanes);
}

bool scatters_words(const KernelPlan& plan, const HostFeatures&) {
  return moves_groups_of_elements(plan, Direction::ToTable) && plan.combine == Atomic::None &&
         plan.element_size == kLane && lanes_scale(plan);
}
bool leaves_out(const KernelPlan& plan, const HostFeatures& host) {
  return plan.oob == Oob::Skip && has_fast_gather(plan, host);  // one is as fast as the other
}

// A tile whose elements stay as they are where an index is out of range has none to be zero.
bool picks_elements(const KernelPlan& plan, const HostFeatures&) {
  return moves_groups_of_elements(plan, Direction::ToTile) && plan.oob != Oob::Skip;
}

// Halves that an instruction adds as they are need no batches.
bool adds_halves(const KernelPlan& plan, const HostFeatures& host) {
  const bool is_widened =
      plan.number == DType::BF16 || (plan.number == DType::F16 && !host.avx512fp16);
  return moves_groups_of_elements(plan, Direction::ToTable) && plan.combine == Atomic::Add &&
         is_widened && (plan.digit_count > 1 || plan.digits[0].step.is(plan.element_size));
}

// Of few slots two indices of a batch mostly meet in one.
bool has_many_slots(const KernelPlan& plan, const HostFeatures&) {
  return !plan.capacity.is_static() || plan.capacity.factor > kFewSlots;
}

// A part's own indices are looked for in groups, and moved one by one.
bool looks_for_own(const KernelPlan& plan, const HostFeatures&) {
  return plan.own.is_on && indices_are_neighbours(plan);
}

// One unit after the other: as many indices as keep the loads in flight, each at its own
// displacement from the first.
bool takes_groups(const KernelPlan& plan, const HostFeatures&) {
  return !plan.own.is_on && indices_come_in_groups(plan) &&
         innermost(plan).tile_step.factor <= kFarthestStep;
}
bool takes_groups_of_short_units(const KernelPlan& plan, const HostFeatures& host) {
  return takes_groups(plan, host) && (moves_elements(plan) || longest_run(plan) <= kShortRow);
}

// Single elements, each at its own displacement from the first.
bool takes_single_elements(const KernelPlan& plan, const HostFeatures&) {
  const Level& level = innermost(plan);
  return plan.has_index() && moves_elements(plan) && level.tile_step.is_static() &&
         std::max(level.tile_step.factor, level.index_step) <= kFarthestStep;
}

// Without a division, or zeros that are to be looked for.
bool resolves_soon_alone(const KernelPlan& plan) {
  return plan.oob == Oob::Undefined || plan.oob == Oob::Clamp ||
         (plan.oob == Oob::Wrap && is_power_of_two(plan.capacity));
}

// Elements that are neighbours in the tile, but not in the order of their indices.
bool picks_across(const KernelPlan& plan, const HostFeatures&) {
  return plan.direction == Direction::ToTile && plan.has_index() && plan.level_count == 2 &&
         plan.block == 0 && plan.digit_count == 1 && moves_elements(plan) && !plan.own.is_on &&
         !fills_vectors(plan) && plan.levels[0].tile_step.is(plan.element_size) &&
         plan.levels[0].index_step <= kFarthestStep && resolves_soon_alone(plan);
}

template <int kCount>
int count(const KernelPlan&, int) {
  return kCount;
}
int vector_of_indices(const KernelPlan&, int vector_bytes) { return vector_bytes / kLane; }
int vector_of_widened(const KernelPlan& plan, int vector_bytes) {
  return vector_bytes / widened_bytes(plan);
}

using enum FeatureLevel;

// Best first, and of one form too.
constexpr std::array kRows = {
    FormRow{UnitForm::Spread, Avx512, spreads, always, vector_of_widened, true},
    FormRow{UnitForm::Spread, Avx2, spreads_within_lanes, always, vector_of_widened, false},
    FormRow{UnitForm::Spread, Avx2, spreads, always, count<4>, false},
    FormRow{UnitForm::Registers, Avx512, fits_registers, always, vector_of_indices, true},
    FormRow{UnitForm::Gather, Avx2, gathers_words, has_fast_gather, vector_of_indices, true},
    FormRow{UnitForm::Gather, Avx512, gathers_parts_of_words, has_fast_gather, vector_of_indices,
            true},
    FormRow{UnitForm::Scatter, Avx512, scatters_words, leaves_out, vector_of_indices, true},
    FormRow{UnitForm::Own, Avx2, looks_for_own, always, vector_of_indices, true},
    FormRow{UnitForm::Batches, Avx512, adds_halves, has_many_slots, count<8>, false},
    FormRow{UnitForm::Picks, Avx2, picks_elements, always, count<8>, false},
    FormRow{UnitForm::Picks, Avx2, picks_across, always, count<8>, false},
    FormRow{UnitForm::Lanes, Avx2, takes_groups_of_short_units, always, count<8>, false},
    FormRow{UnitForm::Lanes, Avx2, takes_groups, always, count<4>, false},
    FormRow{UnitForm::Lanes, Baseline, takes_single_elements, always, count<8>, false},
    FormRow{UnitForm::Lanes, Baseline, always, always, count<1>, false},
};

}  // namespace

bool goes_across(UnitForm form, const KernelPlan& plan) {
  return form == UnitForm::Picks && !fills_vectors(plan);
}

KernelPlan walked_by(UnitForm form, const KernelPlan& plan) {
  KernelPlan out = plan;
  if (goes_across(form, plan)) std::swap(out.levels[0], out.levels[1]);
  return out;
}

const FormRow& form_row(const KernelPlan& plan, const HostFeatures& host,
                        std::optional<UnitForm> wished) {
  const FormRow* preferred = nullptr;
  for (const FormRow& row : kRows) {
    if (!row.fits(plan, host) || !has_level(host, row.level)) continue;
    if (row.form == wished) return row;
    if (!preferred && row.is_preferred(plan, host)) preferred = &row;
  }
  return *preferred;
}

}  // namespace pto::jit
