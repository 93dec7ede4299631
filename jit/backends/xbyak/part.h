// What every part of the emitter has at hand.
#pragma once

#include "ir/plan_facts.h"
#include "jit/backends/xbyak/assembler.h"
#include "jit/backends/xbyak/strategy.h"
#include "jit/backends/xbyak/strategy_forms.h"
#include "jit/backends/xbyak/values.h"

namespace pto::jit::xbyak {

struct Task {
  Assembler& a;
  const KernelPlan& plan;
  const Strategy& strategy;
  const Level& innermost = jit::innermost(plan);
};

// A part writes one kind of code, through the assembler that all parts share.
class Part {
 protected:
  explicit Part(const Task& task)
      : a_(task.a), plan_(task.plan), strategy_(task.strategy), innermost_(task.innermost) {}

  // Where a group's indices and its places in the tile begin.
  Xbyak::RegExp index_of(const Group& group) const {
    const std::int64_t before = std::int64_t{group.turn} * group.lanes;
    return a_.at.index + static_cast<std::size_t>(before * innermost_.index_step);
  }
  Xbyak::RegExp tile_of(const Group& group) const {
    const std::int64_t before = std::int64_t{group.turn} * group.lanes;
    return a_.at.tile + static_cast<std::size_t>(before * innermost_.tile_step.factor);
  }

  // Lanes leave their vector one by one.
  bool takes_apart() const {
    return strategy_.form == UnitForm::Lanes || strategy_.form == UnitForm::Picks ||
           strategy_.form == UnitForm::Batches;
  }

  Assembler& a_;
  const KernelPlan& plan_;
  const Strategy& strategy_;
  const Level& innermost_;
};

}  // namespace pto::jit::xbyak
