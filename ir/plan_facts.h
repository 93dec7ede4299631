// What a plan tells about itself that more than one emitter asks: how neighbouring positions lie,
// what each of them moves, how long things can get.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/plan.h"

namespace pto::jit {

const Level& innermost(const KernelPlan& plan);

// Whether each position moves one contiguous run.
bool is_one_run(const KernelPlan& plan);

// Whether each position moves, or combines, one element.
bool moves_elements(const KernelPlan& plan);

// Whether neighbouring positions have, moreover, neighbouring elements of the tile, so that a
// vector of them is one load or store.
bool fills_vectors(const KernelPlan& plan);

// Whether the innermost level goes through neighbouring indices.
bool indices_are_neighbours(const KernelPlan& plan);

// Whether elements' slots are split into digits such that all places in the table are numbers of 31
// bits. What is known only at run time may make them larger.
bool digits_fit_words(const KernelPlan& plan);
bool digits_are_known(const KernelPlan& plan);
// What no amount of such a plan reaches, nor may one that is known only at run time: sums of their
// products then stay numbers of 64 bits.
inline constexpr std::int64_t kDigitAmounts = std::int64_t{1} << 30;

// Whether it also fills evenly spaced places, each slot one step of the table or digits that fit
// words, so that several indices can be taken at once; and if not, why.
bool indices_come_in_groups(const KernelPlan& plan);
std::string_view reason_for_singles(const KernelPlan& plan);

// When a plan only spreads neighbouring elements of the tile over a cleared table: from one to the
// next, in elements. Else 0.
int spread_of(const KernelPlan& plan);

// The most bytes a run can have, as far as the plan tells: rows end before the tile's next row.
std::int64_t longest_run(const KernelPlan& plan);

// Bytes that all ranks together are given, when that is known.
std::optional<std::int64_t> written_to_ranks(const KernelPlan& plan);

// Bytes from the table's first to behind its last element, when capacity and pitch are known; of a
// last row whose length is not, one element counts.
std::optional<std::int64_t> table_bytes(const KernelPlan& plan);

}  // namespace pto::jit
