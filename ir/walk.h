// What scatter and gather do, said once. Each function drives an emitter: the interpreter executes
// what it is told, a code generator writes it down. A leaf never knows how many indices it handles:
// `Index` and `Mask` belong to the emitter. docs/plan.md says each verb in one sentence.
//
// Every emitted value gets a name before it is passed on: arguments of one call are unordered.
#pragma once

#include <utility>

#include "ir/emitter_concepts.h"
#include "ir/plan.h"

namespace pto::jit {

// From a raw index to a slot, and whether there is one.
template <Resolves E>
Slot<E> resolve(const KernelPlan& plan, E& e, const typename E::Index& raw) {
  switch (plan.oob) {
    case Oob::Undefined: return {raw, e.always()};
    case Oob::Clamp: return {e.at_most_last(raw, plan.capacity), e.always()};
    case Oob::Wrap: return {e.modulo(raw, plan.capacity), e.always()};
    case Oob::Skip:
    case Oob::Zero: return {raw, e.below(raw, plan.capacity)};
  }
  __builtin_unreachable();
}

// From a slot to bytes from the table's start: digit by digit, the last one takes what is left.
template <Addresses E>
typename E::Index address(const KernelPlan& plan, E& e, const typename E::Index& slot) {
  if (plan.digit_count == 1) return e.scaled(slot, plan.digits[0].step);
  auto parts = e.divided(slot, plan.digits[0].radix);
  auto sum = e.scaled(parts.remainder, plan.digits[0].step);
  for (std::size_t i = 1; i + 1 < plan.digit_count; ++i) {
    auto next = e.divided(parts.quotient, plan.digits[i].radix);
    e.accumulate(sum, e.scaled(next.remainder, plan.digits[i].step));
    parts = std::move(next);
  }
  e.accumulate(sum, e.scaled(parts.quotient, plan.digits[plan.digit_count - 1].step));
  return sum;
}

// The table's value and the tile's, made one. Ties, signed zeros and NaN keep the table's.
template <Combines E, class Value>
Value combine(const KernelPlan& plan, E& e, const Value& table, const Value& tile) {
  switch (plan.combine) {
    case Atomic::None: return tile;
    case Atomic::Add: return e.sum(table, tile);
    case Atomic::Max: return e.pick_if_less(table, tile, tile, table);
    case Atomic::Min: return e.pick_if_less(tile, table, tile, table);
  }
  __builtin_unreachable();
}

// One contiguous run between the two sides.
template <MovesForward E>
void transfer(const KernelPlan& plan, E& e, const typename E::Place& place) {
  if (plan.combine == Atomic::None) return e.copy(place, plan.unit.run);
  e.each_element(place, plan.unit.run, [&](const typename E::Place& at) {
    const auto table = e.load_table(at);
    const auto tile = e.load_tile(at);
    const auto made = combine(plan, e, table, tile);
    e.store_table(at, made);
  });
}

// Everything one index moves; `body` is done at each run.
template <MovesForward E, class Body>
void each_run(const KernelPlan& plan, E& e, const typename E::Place& place, Body&& body) {
  e.repeat(plan.unit.outer, place, [&](const typename E::Place& outer) {
    e.repeat(plan.unit.inner, outer, [&](const typename E::Place& inner) { body(inner); });
  });
}

// Moves the units of a group, lane by lane in order.
template <MovesForward E>
void move_lanes(const KernelPlan& plan, E& e, const typename E::Position& at, const Slot<E>& far) {
  e.each_lane(at, far.at, far.live, [&](const typename E::Place& place) {
    each_run(plan, e, place, [&](const typename E::Place& run) { transfer(plan, e, run); });
  });
  if (plan.oob != Oob::Zero) return;
  e.each_lane(at, far.at, e.inverted(far.live), [&](const typename E::Place& place) {
    each_run(plan, e, place,
             [&](const typename E::Place& run) { e.clear_tile(run, plan.unit.run); });
  });
}

// Moves the elements of a group, which lie side by side in the tile, as one vector. Those that
// combine may do so only while no two of them meet.
template <MovesVectors E>
void move_vector(const KernelPlan& plan, E& e, const typename E::Position& at, const Slot<E>& far) {
  if (plan.direction == Direction::ToTile) {
    const auto table = e.gather(far.at, far.live);
    if (plan.oob != Oob::Skip) return e.store_tiles(at, table, e.always());
    return e.store_tiles(at, table, far.live);
  }
  if (plan.combine == Atomic::None) {
    const auto tile = e.load_tiles(at);
    return e.scatter(far.at, tile, far.live);
  }
  e.when_distinct(
      far.at, far.live,
      [&] {
        const auto table = e.gather(far.at, far.live);
        const auto tile = e.load_tiles(at);
        const auto made = combine(plan, e, table, tile);
        e.scatter(far.at, made, far.live);
      },
      [&] { move_lanes(plan, e, at, far); });
}

// Vectors only where the emitter has them.
template <MovesForward E>
void move(const KernelPlan& plan, E& e, const typename E::Position& at, const Slot<E>& far) {
  if constexpr (MovesVectors<E>) {
    if (e.moves_vectors(at)) return move_vector(plan, e, at, far);
  }
  move_lanes(plan, e, at, far);
}

// The kernel of a part leaves out what is not its own. What its plan resolves is always live: being
// its own is more than being in range.
template <Resolves E>
Slot<E> find(const KernelPlan& plan, E& e, const typename E::Position& at) {
  const auto raw = e.load_index(at);
  Slot<E> slot = resolve(plan, e, raw);
  if constexpr (MovesParts<E>) {
    if (plan.own.is_on) slot.live = e.within(slot.at, plan.own);
  }
  return slot;
}

// What a group moves: all of it together, or of a part's those that are its own, one by one, for
// most are not.
template <MovesForward E>
void move_found(const KernelPlan& plan, E& e, const typename E::Position& at, const Slot<E>& slot) {
  if constexpr (MovesParts<E>) {
    if (plan.own.is_on) {
      return e.each_live(at, slot.at, slot.live,
                         [&](const typename E::Position& one, const typename E::Index& its) {
                           move(plan, e, one, Slot<E>{address(plan, e, its), e.always()});
                         });
    }
  }
  move(plan, e, at, Slot<E>{address(plan, e, slot.at), slot.live});
}

// In order; an emitter may take its indices in groups.
template <MovesForward E>
void walk(const KernelPlan& plan, E& e) {
  if (plan.fill_bytes > 0) e.clear_written(plan.fill_bytes);
  e.when_nonzero(plan.gate, [&] {
    e.each_rank([&] {
      e.positions([&](const typename E::Position& at) {
        if (!plan.has_index()) return move(plan, e, at, Slot<E>{e.walked_table(at), e.always()});
        const Slot<E> slot = find(plan, e, at);
        move_found(plan, e, at, slot);
      });
    });
  });
}

// Newest first, each slot moved once. For replacing scatters, where the last writer wins.
template <MovesBackward E>
void walk_backward(const KernelPlan& plan, E& e) {
  if (plan.fill_bytes > 0) e.clear_written(plan.fill_bytes);
  e.when_nonzero(plan.gate, [&] {
    e.forget_slots();
    e.positions_backward([&](const typename E::Position& at) {
      const Slot<E> slot = find(plan, e, at);
      const auto first = e.first_seen(slot.at, slot.live);
      move(plan, e, at, Slot<E>{address(plan, e, slot.at), first});
    });
  });
}

// One owner for each slot: the last position that names it. For replacing scatters.
template <FindsOwners E>
void walk_by_owner(const KernelPlan& plan, E& e) {
  if (plan.fill_bytes > 0) e.clear_written(plan.fill_bytes);
  e.when_nonzero(plan.gate, [&] {
    e.slots(plan.capacity, [&](const typename E::Index& mine) {
      const auto owned =
          e.last_match(mine, [&](const typename E::Position& at) { return find(plan, e, at); });
      move(plan, e, owned.at, Slot<E>{address(plan, e, mine), owned.live});
    });
  });
}

// A pass over the indices alone: those out of range, and in-range writes to a slot already written.
template <Audits E>
void audit(const KernelPlan& plan, E& e) {
  e.reset_report();
  e.audit_positions([&](const typename E::Position& at) {
    const auto raw = e.load_index(at);
    const auto inside = e.below(raw, plan.capacity);
    e.count_outside(at, e.inverted(inside));
  });
  if (!plan.audit.counts_collisions) return;
  e.when_nonzero(plan.capacity, [&] {
    e.forget_slots();
    e.audit_positions([&](const typename E::Position& at) {
      const Slot<E> slot = find(plan, e, at);
      const auto first = e.first_seen(slot.at, slot.live);
      e.count_repeated(at, slot.live, first);
    });
  });
}

// Whether slots may be written in any order once each has its last writer: a replacing scatter
// whose units never overlap.
bool slots_are_independent(const KernelPlan& plan);

}  // namespace pto::jit
