// The innermost loop's whole groups: one loop for each way their units are moved, the first that
// its test lets in; then what is left of a vector form, masked.
#pragma once

#include <optional>

#include "jit/backends/xbyak/aside.h"
#include "jit/backends/xbyak/elements.h"
#include "jit/backends/xbyak/forms/vector_form.h"
#include "jit/backends/xbyak/lane_resolver.h"
#include "jit/backends/xbyak/prefetch.h"
#include "jit/backends/xbyak/ways.h"

namespace pto::jit::xbyak {

class GroupLoop : Part {
 public:
  // What the loop is made of.
  struct Tools {
    VectorForm& form;
    Resolver& resolver;
    LaneResolver& lane_resolver;
    Prefetch& prefetch;
    const Elements& elements;
    Aside& aside;
  };
  GroupLoop(const Task& task, const Tools& tools)
      : Part(task),
        tools_(tools),
        ways_(task, tools.resolver, tools.elements.vector_bytes(task.plan.combine)) {}

  bool takes_groups() const;    // at all
  bool leaves_some() const;     // not every index is in a whole group
  bool leaves_singles() const;  // single indices can be left for a loop of their own
  // How many behind the last group, where they are so few that they need no loop; else 0.
  int few_singles() const;
  // Runtime capacities may be beyond 32 bits, or too small for what a gather reads.
  bool may_refuse_groups() const;

  // Leaves for `done` when nothing is left, else falls through to a loop over single indices.
  template <class Body>
  void run(Body&& body, Label& done) {
    Label singles, rest;
    start(singles, rest);
    whole_groups(body, rest);
    a_.L(rest);
    if (strategy_.masks_rest) masked_rest(body, done);
    a_.L(singles);
    leave();
    if (strategy_.masks_rest || !leaves_singles() || few_singles() > 0) return;
    jump_if_none(done);
  }

 private:
  // The last of several blocks of columns may be cut.
  bool knows_extent() const { return innermost_.extent.is_static() && plan_.block == 0; }

  static constexpr int kFewSingles = 4;
  static constexpr int kTurns = 4;  // groups of short code that are written in one go

  template <class Body>
  void whole_groups(Body&& body, Label& rest) {
    if (!has_whole_groups()) return;
    const WayList ways = ways_.list();
    for (std::size_t i = 0; i < ways.count; ++i) {
      Way way = ways.all[i];
      Label next, fence;
      Label& end = way.kind == Way::Kind::Stream ? fence : rest;
      a_.serving_if(way.kind == Way::Kind::Stream, Purpose::StreamWay, [&] {
        const Loan run = ways_.enter(way, next);
        if (repeats()) turns({kTurns, &way}, body, end);
        sorts_out(way) ? sorted_out(way, body, end) : turns({1, &way}, body, end);
        a_.L(fence);
        ways_.leave(way);
        if (i + 1 < ways.count) leave_way(ways.all[i + 1], rest);
      });
      a_.L(next);
    }
  }

  // Groups written in one go, how their units are moved, and what is known of their lanes.
  struct Turns {
    int count;
    const Way* way;
    Label* mixed = nullptr;
    bool is_mixed = false;
  };
  // A loop while all lanes are in range. From the first group on of which one is not, another goes
  // on that has nothing to guess.
  template <class Body>
  void sorted_out(const Way& way, Body&& body, Label& end) {
    Label mixed;
    turns({1, &way, &mixed}, body, end);
    if (strategy_.strip > 0) {  // which looks whether enough are left
      a_.L(mixed);
      strips(way, body);
      if (strips_leave_groups()) groups_left(way, body, end);
      return;
    }
    a_.serving(Purpose::RepeatsCopy, [&] { a_.jmp(end, Assembler::T_NEAR); });
    a_.L(mixed);
    if (strategy_.scan) return turns({1, &way}, body, end);
    const Loan aside = tools_.aside.enter_numbers();
    turns({1, &way, nullptr, true}, body, end);
  }
  // Whole vectors of indices, resolved on the stack and taken from there; less is left.
  template <class Body>
  void strips(const Way& way, Body&& body) {
    Label next, again, done;
    const Strip& kept = strip();
    a_.L(next);
    fill_strip(kept, done);
    a_.L(again);
    body(Position{{.lanes = strategy_.group, .is_resolved = true}, &way});
    a_.add_amount(a_.at.index, innermost_.index_step * strategy_.group);
    a_.add_amount(a_.at.tile, innermost_.tile_step * strategy_.group);
    a_.sub(a_.at.count, strategy_.group);
    a_.jnz(again, Assembler::T_NEAR);
    leave_strip(kept);
    a_.serving(Purpose::StripTest, [&] { a_.jmp(next, Assembler::T_NEAR); });
    a_.L(done);
  }
  template <class Body>
  void groups_left(const Way& way, Body&& body, Label& end) {
    a_.serving(Purpose::StripRest, [&] {
      a_.cmp(a_.at.count, strategy_.group);
      a_.jb(end, Assembler::T_NEAR);
      turns({1, &way}, body, end);
    });
  }
  // A loop of several turns is there to be left for one of one.
  template <class Body>
  void turns(const Turns& turns, Body&& body, Label& end) {
    Label again, fewer;
    if (!start_turns(turns.count, turns.count == 1 && repeats() ? end : fewer)) return;
    a_.L(again);
    if (tools_.prefetch.is_wanted(*turns.way)) tools_.prefetch.ask(*turns.way);
    const bool takes_singles = strategy_.form == UnitForm::Lanes && strategy_.singles;
    const int lanes = takes_singles ? 1 : strategy_.group;
    Label none;
    if (turns.is_mixed && strategy_.over)
      tools_.lane_resolver.jump_if_none_inside({strategy_.group}, none);
    for (int turn = 0; turn < turns.count * strategy_.group / lanes; ++turn)
      body(Position{{lanes, turn, false, turns.is_mixed, turns.mixed}, turns.way});
    a_.L(none);
    step(turns.count, again);
    a_.L(fewer);
  }

  template <class Body>
  void masked_rest(Body&& body, Label& done) {
    if (leaves_some()) {
      start_rest(done);
      body(Position{.group = {strategy_.group, 0, true}});
    }
    if (!leaves_singles()) return;
    a_.serving(Purpose::RepeatsCopy, [&] { a_.jmp(done, Assembler::T_NEAR); });
  }

  // Slots of indices, and where the walk stands meanwhile.
  struct Strip {
    StackSlot slots, index, count;
  };
  const Strip& strip();
  void fill_strip(const Strip& strip, Label& done);
  void leave_strip(const Strip& strip);
  bool strips_leave_groups() const { return strategy_.group < a_.isa.vector_bytes() / 4; }

  bool has_whole_groups() const;  // one can come up
  bool has_digits_to_come() const { return plan_.digit_count > 1 && !digits_are_known(plan_); }
  bool repeats() const;
  bool sorts_out(const Way& way) const;
  void start(Label& singles, Label& rest);
  void refuse_groups(Label& singles);
  void leave();
  bool start_turns(int turns, Label& fewer);
  std::optional<std::int64_t> given_to(int turns) const;
  void step(int turns, Label& again);
  void start_rest(Label& done);
  void jump_if_none(Label& to);
  void leave_way(const Way& next, Label& rest);

  const Tools tools_;
  Ways ways_;
  std::optional<Strip> strip_;
};

}  // namespace pto::jit::xbyak
