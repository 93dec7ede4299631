// The x86-64 emitter: writes down what the walks of ir/walk.h ask for. Indices come in groups,
// their lanes in a vector or still in memory, and one by one where a group is not full. The verbs
// are here; what they write is in the parts.
#pragma once

#include "jit/backends/xbyak/parts.h"

namespace pto::jit::xbyak {

class Emitter : protected Part {
 public:
  using Index = xbyak::Index;
  using Mask = xbyak::Mask;
  using Place = xbyak::Place;
  using Position = xbyak::Position;
  using Value = xbyak::Value;

  explicit Emitter(Parts& parts) : Part(parts.task), parts_(parts) {}

  // Indices.
  Index load_index(const Position& at);
  Index walked_table(const Position& at) { return {.group = at.group}; }
  Index at_most_last(const Index& index, const Amount& capacity);
  Index modulo(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  void accumulate(Index& sum, const Index& term);
  Divided divided(const Index& index, const Amount& radix);

  // Masks.
  Mask always() { return {}; }
  Mask below(const Index& index, const Amount& limit);
  Mask inverted(const Mask& mask) { return xbyak::inverted(mask); }
  Mask within(const Index& slot, const SlotRange&) {
    const Verb verb(a_);
    return parts_.own.within(slot);
  }

  // The walk.
  template <class Body>
  void when_nonzero(const Amount& gate, Body&& body) {
    const Verb verb(a_);
    if (gate.is_static()) return body();
    Label skip;
    a_.serving(Purpose::Gate, [&] {
      a_.cmp(a_[a_.slot_of(gate)], 0);
      a_.je(skip, Assembler::T_NEAR);
    });
    body();
    a_.L(skip);
  }
  template <class Body>
  void each_rank(Body&& body) {
    const Verb verb(a_);
    parts_.pointers.each_rank(body);
  }
  template <class Body>
  void positions(Body&& body) {
    const Verb verb(a_);
    parts_.pointers.load();
    parts_.form.start_walk();
    parts_.levels.walk(body);
  }

  template <class Body>
  void each_live(const Position& at, const Index& slot, const Mask& live, Body&& body) {
    const Verb verb(a_);
    parts_.own.each(at, slot, live, body);
  }

  // Vectors of elements.
  bool moves_vectors(const Position& at) const {
    return !at.group.is_single() && strategy_.form != UnitForm::Lanes;
  }
  Value gather(const Index& far, const Mask& live) {
    const Verb verb(a_);
    return parts_.form.gather(far, live);
  }
  void scatter(const Index& far, Value value, const Mask& live) {
    const Verb verb(a_);
    parts_.form.scatter(far, value, live);
  }
  Value load_tiles(const Position& at) {
    const Verb verb(a_);
    return parts_.form.load_tiles(at);
  }
  void store_tiles(const Position& at, Value value, const Mask& where) {
    const Verb verb(a_);
    parts_.form.store_tiles(at, value, where);
  }
  template <class Vector, class OneByOne>
  void when_distinct(const Index& far, const Mask& live, Vector&& vector, OneByOne&& one_by_one) {
    const Verb verb(a_);
    Label meet, done;
    parts_.form.jump_if_lanes_meet(far, live, meet);
    vector();
    a_.jmp(done, Assembler::T_NEAR);
    a_.L(meet);
    one_by_one();
    a_.L(done);
  }

  // Units, lane by lane.
  template <class Body>
  void each_lane(const Position& at, const Index& far, const Mask& live, Body&& body) {
    const Verb verb(a_);
    parts_.lanes.each(at, far, live, body);
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    const Verb verb(a_);
    parts_.units.repeat(repeat, place, body);
  }
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    const Verb verb(a_);
    parts_.units.each_element(place, run, body);
  }
  void copy(const Place& place, const Amount& run) {
    const Verb verb(a_);
    parts_.units.copy(place, run);
  }
  void clear_tile(const Place& place, const Amount& run) {
    const Verb verb(a_);
    parts_.units.clear_tile(place, run);
  }
  void clear_written(std::int64_t bytes);

  // Elements.
  Value load_table(const Place& place) {
    const Verb verb(a_);
    return parts_.elements.load({Held::Table, place.wide}, place.table);
  }
  Value load_tile(const Place& place) {
    const Verb verb(a_);
    return parts_.elements.load({Held::Tile, place.wide}, place.tile);
  }
  void store_table(const Place& place, Value value) {
    const Verb verb(a_);
    parts_.elements.store(value, place.table);
  }
  Value sum(Value a, Value b) {
    const Verb verb(a_);
    return parts_.elements.sum(a, b);
  }
  Value pick_if_less(Value a, Value b, Value yes, Value no) {
    const Verb verb(a_);
    return parts_.elements.pick_if_less(a, b, yes, no);
  }

 protected:
  Parts& parts_;
};

}  // namespace pto::jit::xbyak
