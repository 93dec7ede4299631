// Parts of a kernel that leave the same memory in any order, also at the same time. What is written
// position by position, as by a gather, is dealt out by positions; a scatter by slots: a part goes
// through all indices in order and moves what falls into its slots, so each slot meets its writers
// in their order. Parts are dealt out in whole pieces: positions of the walk, or slots.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

enum class Parting : std::uint8_t { None, Positions, Slots };

std::string_view name_of(Parting parting);

// How a plan can be parted, as far as the plan tells.
Parting parting_of(const KernelPlan& plan);

// How many pieces there are in a call: at most one where what they write may meet, as by strides
// or ranks that overlap.
std::int64_t pieces_in(const KernelPlan& plan, const Frame& frame);

// The plan of the kernel that does parts: positions of a box that its frame tells, or own slots
// only. It clears nothing and audits nothing.
KernelPlan part_plan(const KernelPlan& plan);

// The plan of the kernel that makes the audit's pass alone: its gate is closed.
KernelPlan audit_plan(const KernelPlan& plan);

// Some of the pieces, one after the other.
struct PartRange {
  std::int64_t first = 0;
  std::int64_t last = 0;  // behind them

  bool operator==(const PartRange&) const = default;
};

// Does one part of the call that `frame` describes: clears what of the fill belongs to it, then
// calls `kernel`, made of part_plan, once or several times. What no piece owns is cleared by the
// part with the last one. `pieces` is what pieces_in said.
void run_part(const KernelPlan& plan, const Frame& frame, const PartRange& range,
              std::int64_t pieces, const std::function<void(const Frame&)>& kernel);

// The frame for the kernel of audit_plan.
Frame audit_frame(const Frame& frame);

}  // namespace pto::jit
