// A group taken apart: lane by lane, in order, with the place of each lane's unit.
#pragma once

#include <algorithm>
#include <array>

#include "jit/backends/xbyak/aside.h"
#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/resolver.h"
#include "jit/backends/xbyak/units.h"

namespace pto::jit::xbyak {

// Of a group. With a mask, a lane that does not count has its slot aside.
struct Lane {
  int number = 0;
  const Mask* live = nullptr;
  const Way* way = &kPlainWay;
};

class Lanes : Part {
 public:
  struct Tools {
    Resolver& resolver;
    const Units& units;
    Aside& aside;
  };
  Lanes(const Task& task, const Tools& tools) : Part(task), tools_(tools) {}

  // The places of lanes that count, and of the others too where their units are moved aside. All of
  // them mostly count, and then need no test each.
  template <class Body>
  void each(const Position& at, const Index& far, const Mask& live, Body&& body) {
    if (at.group.mixed) return all_live(at, far, live, body);
    if (live.kind == Mask::Kind::Numbers) return redirected(at, far, live, body);
    const bool is_aside = live.kind != Mask::Kind::Always && tools_.aside.takes(*at.way);
    const auto mixed = [&] {
      is_aside ? all(at, far, live, body) : one_by_one(at, far, live, body);
    };
    if (is_aside && live.is_inverted) return;
    if (live.kind != Mask::Kind::Lanes) return mixed();
    Label some, done;
    const auto test = [&] { a_.test(live.dead.low(), live.dead.low()); };
    if (live.is_inverted) {
      a_.serving(Purpose::NoneLeft, [&] {
        test();
        a_.jz(done, Assembler::T_NEAR);
      });
    } else {
      a_.serving(Purpose::AllLive, test);
      a_.jnz(some, Assembler::T_NEAR);
      one_by_one(at, far, {}, body);
      a_.serving(Purpose::RepeatsCopy, [&] { a_.jmp(done, Assembler::T_NEAR); });
      a_.L(some);
    }
    mixed();
    a_.L(done);
  }

  // The numbers of all lanes, in registers; none where the walk itself addresses the table. Two at
  // a time, but from memory neither short ones nor those that lie apart.
  template <class Body>
  void each_number(const Index& far, Body&& body) {
    const bool are_pairs = indices_are_neighbours(plan_) && plan_.index_size != kShort;
    const bool is_single = far.in == Index::In::Memory && !are_pairs;
    for (int lane = 0; is_single && lane < far.group.lanes; ++lane)
      body(number_in_memory(lane), lane);
    for (int lane = 0; !is_single && lane < far.group.lanes; lane += 2) {
      const Pair numbers = pair(far, lane);
      for (int i = lane; i < std::min(lane + 2, far.group.lanes); ++i)
        body(numbers[static_cast<std::size_t>(i - lane)], i);
    }
  }

  // Of a group that goes elsewhere then.
  void leave_unless_all_live(const Group& group, const Mask& live) {
    if (live.kind == Mask::Kind::Always) return;
    a_.serving(Purpose::AllLive, [&] { a_.test(live.dead.low(), live.dead.low()); });
    a_.jnz(*group.mixed, Assembler::T_NEAR);
  }

  // The slot's address; may change the number.
  Xbyak::RegExp table_at(const Index& far, const Loan& number, const Lane& lane);

 private:
  using Pair = std::array<Loan, 2>;
  static constexpr int kShort = 2;  // bytes of an index

  // Of groups that go elsewhere unless all lanes count; batches have asked before.
  template <class Body>
  void all_live(const Position& at, const Index& far, const Mask& live, Body&& body) {
    if (live.is_inverted) return;
    if (strategy_.form != UnitForm::Batches) leave_unless_all_live(at.group, live);
    one_by_one(at, far, {}, body);
  }

  // Of groups there, none of which is left out: some go aside.
  template <class Body>
  void redirected(const Position& at, const Index& far, const Mask& live, Body&& body) {
    if (live.is_inverted) return;
    each_number(
        far, [&](const Loan& number, int lane) { body(place_of(at, far, number, {lane, &live})); });
  }

  template <class Body>
  void one_by_one(const Position& at, const Index& far, const Mask& live, Body&& body) {
    each_number(far, [&](const Loan& number, int lane) {
      Label dead;
      jump_if_not(a_, live, lane, dead);
      body(place_of(at, far, number, {lane}));
      a_.L(dead);
    });
  }

  template <class Body>
  void all(const Position& at, const Index& far, const Mask& live, Body&& body) {
    const Loan shared = tools_.aside.enter();
    each_number(far, [&](const Loan& number, int lane) {
      body(place_of(at, far, copied(far, number), {lane, &live}));
    });
  }

  void redirect(const Index& far, const Loan& number, const Lane& lane);
  Loan copied(const Index& far, const Loan& number);
  Pair pair(const Index& far, int lane);
  Loan number_in_memory(int lane);
  Place place_of(const Position& at, const Index& far, const Loan& number, Lane lane);

  const Tools tools_;
};

}  // namespace pto::jit::xbyak
