// A part's own slots: which indices of a group lead there, and these taken one by one. Most groups
// of a large call have few or none, so one test comes first.
#pragma once

#include "jit/backends/xbyak/lane_resolver.h"
#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

class OwnSlots : Part {
 public:
  OwnSlots(const Task& task, Resolver& resolver) : Part(task), resolver_(resolver) {}

  // In the prologue: what lanes are compared with.
  void keep_limits();

  Mask within(const Index& slot);

  // Positions and slots of the lanes that count, in order.
  template <class Body>
  void each(const Position& at, const Index& slot, const Mask& live, Body&& body) {
    Label again, done;
    if (at.group.is_single()) {
      jump_if_not(a_, live, 0, done);
      body(at, slot);
      return a_.L(done);
    }
    if (strategy_.own_ahead > 0) ask_ahead(slot.group, *at.way);
    find(slot.group, done);
    a_.L(again);
    {
      const Index its = next();
      body(Position{.way = at.way}, its);
    }
    a_.cmp(a_[bits_], 0);
    a_.jne(again, Assembler::T_NEAR);
    a_.mov(a_.at.tile, a_[tile_]);
    a_.L(done);
  }

 private:
  void find(const Group& group, Label& none);
  void ask_ahead(const Group& group, const Way& way);
  void ask_unit(const Way& way);
  Index next();

  Resolver& resolver_;
  StackSlot bits_;   // one for each lane that is still to come
  StackSlot ahead_;  // the same of a group that is asked for
  StackSlot tile_;   // where the group's units begin
  StackSlot slots_;  // of all lanes
};

}  // namespace pto::jit::xbyak
