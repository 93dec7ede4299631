// What an emitter must offer for each walk of ir/walk.h, and the types the walks hold its values
// in. docs/plan.md says each verb in one sentence.
#pragma once

#include <concepts>
#include <cstdint>

#include "ir/amount.h"
#include "ir/plan.h"

namespace pto::jit {

template <class E>
struct Slot {
  typename E::Index at;
  typename E::Mask live;
};

// Stands in for what a walk does at each place or position.
template <class Answer, class... Given>
struct BodyOf {
  Answer operator()(const Given&... given) const;
};

template <class E>
concept Resolves = requires(E& e, const typename E::Position& at, const typename E::Index& index,
                            const typename E::Mask& mask, const Amount& amount) {
  { e.load_index(at) } -> std::same_as<typename E::Index>;
  { e.at_most_last(index, amount) } -> std::same_as<typename E::Index>;
  { e.modulo(index, amount) } -> std::same_as<typename E::Index>;
  { e.always() } -> std::same_as<typename E::Mask>;
  { e.below(index, amount) } -> std::same_as<typename E::Mask>;
  { e.inverted(mask) } -> std::same_as<typename E::Mask>;
  e.when_nonzero(amount, BodyOf<void>());
};

template <class E>
concept Addresses = requires(E& e, const typename E::Index& index, typename E::Index& sum,
                             const typename E::Position& at, const Amount& amount) {
  { e.walked_table(at) } -> std::same_as<typename E::Index>;
  { e.scaled(index, amount) } -> std::same_as<typename E::Index>;
  { e.divided(index, amount).quotient } -> std::convertible_to<typename E::Index>;
  { e.divided(index, amount).remainder } -> std::convertible_to<typename E::Index>;
  e.accumulate(sum, index);
};

template <class E>
concept Combines = requires(E& e, const typename E::Place& place, const typename E::Value& value) {
  { e.load_table(place) } -> std::same_as<typename E::Value>;
  { e.load_tile(place) } -> std::same_as<typename E::Value>;
  { e.sum(value, value) } -> std::same_as<typename E::Value>;
  { e.pick_if_less(value, value, value, value) } -> std::same_as<typename E::Value>;
  e.store_table(place, value);
};

// `walk`, unit by unit.
template <class E>
concept MovesForward =
    Resolves<E> && Addresses<E> && Combines<E> &&
    requires(E& e, const typename E::Position& at, const typename E::Place& place,
             const typename E::Index& far, const typename E::Mask& live, const Amount& run,
             const Repeat& repeat, BodyOf<void, typename E::Place> at_place) {
      e.clear_written(std::int64_t{});
      e.each_rank(BodyOf<void>());
      e.positions(BodyOf<void, typename E::Position>());
      e.each_lane(at, far, live, at_place);
      e.repeat(repeat, place, at_place);
      e.each_element(place, run, at_place);
      e.copy(place, run);
      e.clear_tile(place, run);
    };

// `walk` of a scatter's part.
template <class E>
concept MovesParts =
    MovesForward<E> && requires(E& e, const typename E::Position& at, const typename E::Index& slot,
                                const typename E::Mask& live, const SlotRange& own) {
      { e.within(slot, own) } -> std::same_as<typename E::Mask>;
      e.each_live(at, slot, live, BodyOf<void, typename E::Position, typename E::Index>());
    };

// Groups of elements as one vector, where the emitter says so of a position.
template <class E>
concept MovesVectors =
    MovesForward<E> && requires(E& e, const typename E::Position& at, const typename E::Index& far,
                                const typename E::Mask& live) {
      { e.moves_vectors(at) } -> std::same_as<bool>;
      { e.load_tiles(at) } -> std::same_as<decltype(e.gather(far, live))>;
      e.store_tiles(at, e.gather(far, live), live);
      e.scatter(far, e.load_tiles(at), live);
      e.when_distinct(far, live, BodyOf<void>(), BodyOf<void>());
    };

template <class E>
concept RemembersSlots = requires(E& e, const Slot<E>& slot) {
  e.forget_slots();
  { e.first_seen(slot.at, slot.live) } -> std::same_as<typename E::Mask>;
};

// `walk_backward`.
template <class E>
concept MovesBackward = MovesForward<E> && RemembersSlots<E> && requires(E& e) {
  e.positions_backward(BodyOf<void, typename E::Position>());
};

// `walk_by_owner`.
template <class E>
concept FindsOwners =
    MovesForward<E> && requires(E& e, const typename E::Index& mine, const Amount& capacity,
                                BodyOf<Slot<E>, typename E::Position> find) {
      e.slots(capacity, BodyOf<void, typename E::Index>());
      { e.last_match(mine, find).at } -> std::convertible_to<typename E::Position>;
      { e.last_match(mine, find).live } -> std::convertible_to<typename E::Mask>;
    };

// `audit`.
template <class E>
concept Audits = Resolves<E> && RemembersSlots<E> &&
                 requires(E& e, const typename E::Position& at, const typename E::Mask& mask) {
                   e.reset_report();
                   e.audit_positions(BodyOf<void, typename E::Position>());
                   e.count_outside(at, mask);
                   e.count_repeated(at, mask, mask);
                 };

}  // namespace pto::jit
