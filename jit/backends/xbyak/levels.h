// The loops of a walk: every level of a plan, the innermost one by groups first.
#pragma once

#include "jit/backends/xbyak/group_loop.h"

namespace pto::jit::xbyak {

class Levels : Part {
 public:
  Levels(const Task& task, GroupLoop& groups, Resolver& resolver, Prefetch& prefetch)
      : Part(task), groups_(groups), ways_(task, resolver, 0), prefetch_(prefetch) {}

  // All of them. What goes to ranks has its ways here, there being no groups.
  template <class Body>
  void walk(Body&& body) {
    if (plan_.ranks == 0 || strategy_.stream_from == 0) return each(0, body);
    Way way{Way::Kind::Stream};
    Label plain, done;
    a_.serving(Purpose::StreamWay, [&] {
      ways_.enter(way, plain);
      way_ = &way;
      each(0, body);
      ways_.leave(way);
      way_ = &kPlainWay;
    });
    if (ways_.always_streams()) return;
    a_.serving(Purpose::RepeatsCopy, [&] { a_.jmp(done, Assembler::T_NEAR); });
    a_.L(plain);
    each(0, body);
    a_.L(done);
  }

 private:
  // Loops over level `depth` and those inside it.
  template <class Body>
  void each(std::size_t depth, Body&& body) {
    if (depth == plan_.level_count) return body(Position{.way = way_});
    if (plan_.levels[depth].extent.is(1) && plan_.block == 0) return each(depth + 1, body);
    Label again, done;
    const LevelSlots slots = start(depth, done);
    if (is_innermost(depth) && groups_.takes_groups()) groups_.run(body, done);
    const int few = is_innermost(depth) ? groups_.few_singles() : 0;
    for (int i = 0; i < few; ++i) body(Position{.group = {.turn = i}, .way = way_});
    if (!is_innermost(depth) || (few == 0 && groups_.leaves_singles())) {
      const bool asks = is_innermost(depth) && strategy_.group == 1 && prefetch_.is_wanted(*way_);
      if (asks) prefetch_.start();
      a_.serving_if(is_spare(depth), Purpose::Singles, [&] {
        a_.L(again);
        enter(depth, slots);
        if (asks) prefetch_.ask(*way_);
        each(depth + 1, body);
        step(depth, slots);
        a_.jg(again, Assembler::T_NEAR);
      });
    }
    a_.L(done);
  }

  struct LevelSlots {
    StackSlot count, index, tile, table;
  };
  // The loop over single indices is there only in case groups are refused.
  bool is_spare(std::size_t depth) const {
    return is_innermost(depth) && groups_.takes_groups() &&
           (strategy_.masks_rest || !groups_.leaves_some());
  }
  bool is_innermost(std::size_t depth) const { return depth + 1 == plan_.level_count; }
  bool counts_blocks(std::size_t depth) const { return plan_.block > 0 && depth == 0; }
  LevelSlots start(std::size_t depth, Label& done);
  void enter(std::size_t depth, const LevelSlots& slots);
  void step(std::size_t depth, const LevelSlots& slots);

  GroupLoop& groups_;
  Ways ways_;
  Prefetch& prefetch_;
  const Way* way_ = &kPlainWay;
  StackSlot block_width_;  // columns of the current block
};

}  // namespace pto::jit::xbyak
