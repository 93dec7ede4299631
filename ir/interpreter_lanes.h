// The emitter that executes what it is told: every verb of the walks done on the spot, for a group
// of `kGroup` indices at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "ir/element.h"
#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/plan.h"
#include "ir/plan_facts.h"
#include "ir/positions.h"

namespace pto::jit {

template <int kGroup>
class Interpreter {
 public:
  struct Index {
    std::array<std::uint64_t, kGroup> lanes{};
  };
  struct Mask {
    std::array<bool, kGroup> lanes{};
  };
  struct Position {
    int count = 0;
    std::int64_t flat = 0;  // of the first lane, for audits
    std::array<Point, kGroup> points{};
  };
  struct Place {
    std::byte* table;
    std::byte* tile;
  };
  using Value = ElementBits;
  struct Values {
    std::array<Value, kGroup> lanes{};
  };
  struct Parts {
    Index quotient;
    Index remainder;
  };
  struct Owned {
    Position at;
    Mask live;
  };

  Interpreter(const KernelPlan& plan, const Frame& frame) : plan_(plan), frame_(frame) {
    tile_ = static_cast<std::byte*>(frame.tile);
    table_ = static_cast<std::byte*>(frame.table) + plan.table_base;
  }

  // Masks and index arithmetic, lane by lane.
  Mask always() const {
    Mask out;
    out.lanes.fill(true);
    return out;
  }
  Mask inverted(const Mask& mask) const {
    return made<Mask>([&](int i) { return !at(mask, i); });
  }
  Mask below(const Index& index, const Amount& limit) const {
    const std::uint64_t bound = value(limit);
    return made<Mask>([&](int i) { return at(index, i) < bound; });
  }
  Mask within(const Index& slot, const SlotRange& own) const {
    const std::uint64_t first = value(own.first);
    const std::uint64_t count = value(own.count);
    return made<Mask>([&](int i) { return at(slot, i) - first < count; });
  }
  Index at_most_last(const Index& index, const Amount& capacity) const {
    const std::uint64_t last = value(capacity) - 1;
    return made<Index>([&](int i) { return std::min(at(index, i), last); });
  }
  Index modulo(const Index& index, const Amount& capacity) const {
    return divided(index, capacity).remainder;
  }
  Index scaled(const Index& index, const Amount& step) const {
    const std::uint64_t factor = value(step);
    return made<Index>([&](int i) { return at(index, i) * factor; });
  }
  void accumulate(Index& sum, const Index& term) const {
    sum = made<Index>([&](int i) { return at(sum, i) + at(term, i); });
  }
  // A runtime divisor may be zero where no slot is live; any quotient will do then.
  Parts divided(const Index& index, const Amount& radix) const {
    const std::uint64_t divisor = std::max<std::uint64_t>(value(radix), 1);
    return {made<Index>([&](int i) { return at(index, i) / divisor; }),
            made<Index>([&](int i) { return at(index, i) % divisor; })};
  }

  Index load_index(const Position& position) const {
    return made<Index>([&](int i) -> std::uint64_t {
      if (i >= position.count) return 0;
      std::uint32_t raw = 0;
      const auto* from = static_cast<const std::byte*>(frame_.index);
      std::memcpy(&raw, from + point(position, i).index, plan_.index_size);
      return raw;
    });
  }
  Index walked_table(const Position& position) const {
    return made<Index>([&](int i) { return static_cast<std::uint64_t>(point(position, i).table); });
  }

  // The walk.
  template <class Body>
  void when_nonzero(const Amount& gate, Body&& body) {
    if (value(gate) != 0) body();
  }
  template <class Body>
  void each_rank(Body&& body) {
    if (plan_.ranks == 0) return body();
    for (std::int32_t rank = 0; rank < plan_.ranks; ++rank) {
      table_ = static_cast<std::byte*>(frame_.ranks[rank]);
      tile_ = static_cast<std::byte*>(frame_.tile) + rank * value_in(frame_, plan_.rank_step);
      body();
    }
  }
  template <class Body>
  void positions(Body&& body) {
    grouped([&](auto&& add) { for_each_point(plan_, frame_, Order::Forward, add); }, body);
  }
  template <class Body>
  void positions_backward(Body&& body) {
    grouped([&](auto&& add) { for_each_point(plan_, frame_, Order::Backward, add); }, body);
  }
  template <class Body>
  void slots(const Amount& capacity, Body&& body) {
    limit_ = value(capacity);
    for (std::uint64_t first = 0; first < limit_; first += kGroup) {
      body(made<Index>([&](int i) { return first + static_cast<std::uint64_t>(i); }));
    }
  }
  template <class Find>
  Owned last_match(const Index& mine, Find&& find) {
    Owned owned;
    positions([&](const Position& position) {
      owned.at.count = kGroup;  // without any position there is no tile to point at
      const auto slot = find(position);
      for (int i = 0; i < position.count; ++i) {
        if (at(slot.live, i)) take_if_mine(mine, at(slot.at, i), point(position, i), owned);
      }
    });
    active_ = kGroup;
    return owned;
  }

  void forget_slots() { seen_.clear(); }
  Mask first_seen(const Index& slot, const Mask& live) {
    return made<Mask>(
        [&](int i) { return at(live, i) && i < active_ && seen_.insert(at(slot, i)).second; });
  }

  template <class Body>
  void each_live(const Position& position, const Index& slot, const Mask& live, Body&& body) {
    const int count = std::exchange(active_, 1);
    for (int i = 0; i < position.count; ++i) {
      if (!at(live, i)) continue;
      Position one{.count = 1};
      Index its;
      one.points[0] = point(position, i);
      its.lanes[0] = at(slot, i);
      body(std::as_const(one), std::as_const(its));
    }
    active_ = count;
  }

  // Moving.
  template <class Body>
  void each_lane(const Position& position, const Index& far, const Mask& live, Body&& body) {
    for (int i = 0; i < position.count; ++i) {
      if (at(live, i)) body(Place{table_ + at(far, i), tile_ + point(position, i).tile});
    }
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    const std::int64_t count = value_in(frame_, repeat.count);
    const std::int64_t table_step = value_in(frame_, repeat.table_step);
    const std::int64_t tile_step = value_in(frame_, repeat.tile_step);
    for (std::int64_t i = 0; i < count; ++i) {
      body(Place{place.table + i * table_step, place.tile + i * tile_step});
    }
  }
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    const std::int64_t bytes = value_in(frame_, run);
    for (std::int64_t at = 0; at < bytes; at += plan_.element_size) {
      body(Place{place.table + at, place.tile + at});
    }
  }
  void copy(const Place& place, const Amount& run) {
    const bool to_table = plan_.direction == Direction::ToTable;
    std::memcpy(to_table ? place.table : place.tile, to_table ? place.tile : place.table,
                value(run));
  }
  void clear_tile(const Place& place, const Amount& run) { std::memset(place.tile, 0, value(run)); }
  void clear_written(std::int64_t bytes) {
    void* written = plan_.direction == Direction::ToTable ? frame_.table : frame_.tile;
    std::memset(written, 0, static_cast<std::size_t>(bytes));
  }

  // Single elements.
  Value load_table(const Place& place) const { return load(place.table); }
  Value load_tile(const Place& place) const { return load(place.tile); }
  void store_table(const Place& place, Value made) {
    std::memcpy(place.table, &made, plan_.element_size);
  }
  Value sum(Value a, Value b) const { return sum_of(plan_.number, a, b); }
  Value pick_if_less(Value a, Value b, Value yes, Value no) const {
    return is_less(plan_.number, a, b) ? yes : no;
  }

  // Vectors of elements, by the largest groups.
  bool moves_vectors(const Position&) const { return kGroup == 16 && moves_elements(plan_); }
  Values gather(const Index& far, const Mask& live) const {
    return made<Values>(
        [&](int i) { return i < active_ && at(live, i) ? load(table_ + at(far, i)) : Value{0}; });
  }
  void scatter(const Index& far, const Values& values, const Mask& live) {
    for (int i = 0; i < active_; ++i) {
      const Value value = at(values, i);
      if (at(live, i)) std::memcpy(table_ + at(far, i), &value, plan_.element_size);
    }
  }
  Values load_tiles(const Position& position) const {
    return made<Values>([&](int i) {
      return i < position.count ? load(tile_ + point(position, i).tile) : Value{0};
    });
  }
  void store_tiles(const Position& position, const Values& values, const Mask& where) {
    for (int i = 0; i < position.count; ++i) {
      const Value value = at(values, i);
      if (at(where, i)) std::memcpy(tile_ + point(position, i).tile, &value, plan_.element_size);
    }
  }
  template <class Vector, class Lanes>
  void when_distinct(const Index& far, const Mask& live, Vector&& vector, Lanes&& lanes) {
    std::unordered_set<std::uint64_t> met;
    for (int i = 0; i < active_; ++i) {
      if (at(live, i) && !met.insert(at(far, i)).second) return lanes();
    }
    vector();
  }
  Values sum(const Values& a, const Values& b) const {
    return made<Values>([&](int i) { return sum(at(a, i), at(b, i)); });
  }
  Values pick_if_less(const Values& a, const Values& b, const Values& yes, const Values& no) const {
    return made<Values>(
        [&](int i) { return pick_if_less(at(a, i), at(b, i), at(yes, i), at(no, i)); });
  }

  // Auditing.
  void reset_report() { *frame_.report = {}; }
  template <class Body>
  void audit_positions(Body&& body) {
    grouped([&](auto&& add) { for_each_audited(plan_.audit, frame_, add); }, body);
  }
  void count_outside(const Position& position, const Mask& outside) {
    note(position, outside, frame_.report->out_of_bounds, frame_.report->first_out_of_bounds);
  }
  void count_repeated(const Position& position, const Mask& live, const Mask& first) {
    const Mask repeated = made<Mask>([&](int i) { return at(live, i) && !at(first, i); });
    note(position, repeated, frame_.report->collisions, frame_.report->first_collision);
  }

 private:
  template <class Lanes>
  static auto at(const Lanes& lanes, int i) {
    return lanes.lanes[static_cast<std::size_t>(i)];
  }
  static const Point& point(const Position& position, int i) {
    return position.points[static_cast<std::size_t>(i)];
  }
  template <class Lanes, class Make>
  static Lanes made(Make&& make) {
    Lanes out;
    for (int i = 0; i < kGroup; ++i) out.lanes[static_cast<std::size_t>(i)] = make(i);
    return out;
  }
  std::uint64_t value(const Amount& amount) const {
    return static_cast<std::uint64_t>(value_in(frame_, amount));
  }
  Value load(const std::byte* from) const {
    Value out = 0;
    std::memcpy(&out, from, plan_.element_size);
    return out;
  }

  // Does `body` for each full group of the points that `produce` adds, and for the rest.
  template <class Produce, class Body>
  void grouped(Produce&& produce, Body&& body) {
    Position group;
    const auto flush = [&] {
      if (group.count == 0) return;
      active_ = group.count;
      body(std::as_const(group));
      group.flat += group.count;
      group.count = 0;
    };
    produce([&](const Point& next) {
      group.points[static_cast<std::size_t>(group.count++)] = next;
      if (group.count == kGroup) flush();
    });
    flush();
  }

  void take_if_mine(const Index& mine, std::uint64_t slot, const Point& from, Owned& owned) const {
    for (int i = 0; i < kGroup; ++i) {
      if (at(mine, i) != slot || at(mine, i) >= limit_) continue;
      owned.at.points[static_cast<std::size_t>(i)] = from;
      owned.live.lanes[static_cast<std::size_t>(i)] = true;
    }
  }

  static void note(const Position& position, const Mask& found, std::int64_t& count,
                   std::int64_t& first) {
    for (int i = 0; i < position.count; ++i) {
      if (!at(found, i)) continue;
      if (count++ == 0) first = position.flat + i;
    }
  }

  const KernelPlan& plan_;
  const Frame& frame_;
  std::byte* tile_ = nullptr;
  std::byte* table_ = nullptr;
  std::uint64_t limit_ = 0;
  int active_ = 0;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace pto::jit
