// The LLVM emitter: writes down what the walks of ir/walk.h ask for, a group of neighbouring
// indices at a time where that pays. Its values are SSA values; loops carry where the walk stands.
#pragma once

#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <vector>

#include "ir/plan.h"
#include "jit/llvm/amounts.h"
#include "jit/llvm/elements.h"
#include "jit/llvm/function_builder.h"
#include "jit/llvm/levels.h"
#include "jit/llvm/runs.h"

namespace pto::jit::llvm_backend {

class Emitter {
 public:
  using Value = llvm_backend::Value;
  using Position = llvm_backend::Position;

  // Indices and slots have 32 bits, addresses 64. One vector while that is the better form, else
  // lane by lane.
  struct Index {
    Value packed = nullptr;
    std::vector<Value> lanes = {};
    bool is_raw = false;  // as it was loaded
  };
  struct Mask {
    std::optional<bool> known;  // of all lanes
    std::vector<Value> lanes;
    bool is_inverted = false;  // the lanes that resolving left out
    Value packed = nullptr;    // the same lanes as one vector, where they were made so
  };
  struct Place {
    Value table;
    Value tile;
  };
  struct Parts {
    Index quotient;
    Index remainder;
  };

  Emitter(FunctionBuilder& f, const KernelPlan& plan, const Abilities& abilities);

  // Indices.
  Index load_index(const Position& at);
  Index walked_table(const Position& at);
  Index at_most_last(const Index& index, const Amount& capacity);
  Index modulo(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  void accumulate(Index& sum, const Index& term);
  Parts divided(const Index& index, const Amount& radix);

  // Masks.
  Mask always() { return {true, {}, false, nullptr}; }
  Mask below(const Index& index, const Amount& limit);
  Mask inverted(const Mask& mask);

  // The walk.
  template <class Body>
  void when_nonzero(const Amount& gate, Body&& body) {
    if (gate.is(0)) return;
    if (gate.is_static()) return body();
    f_.when(f_.is_nonzero(amounts_[gate]), body);
  }
  template <class Body>
  void each_rank(Body&& body) {
    if (plan_.ranks == 0) return body();
    const std::array first{ranks_, tile_, f_.number(plan_.ranks)};
    f_.loop(first, [&](const std::array<Value, 3>& now) {
      table_ = f_.load({Scalar::Pointer}, now[0]);
      tile_ = now[1];
      body();
      const Value rank = f_.moved(now[0], std::int64_t{sizeof(void*)});
      const Value tile = f_.moved(now[1], amounts_[plan_.rank_step]);
      return counted_down<3>({rank, tile, now[2]});
    });
  }
  template <class Body>
  void positions(Body&& body) {
    Position start;
    start.tile = tile_;
    start.index = index_;
    if (!index_) start.table = f_.number(0);
    levels_.each(start, body);
  }

  // Moving.
  template <class Body>
  void each_lane(const Position& at, const Index& far, const Mask& live, Body&& body) {
    if (live.known == false) return;
    const auto each = [&](bool all) {
      for (int i = 0; i < at.lanes; ++i) {
        const auto lane = [&] { body(place_of(at, far, i)); };
        all ? lane() : f_.when(live.lanes[static_cast<std::size_t>(i)], lane);
      }
    };
    if (!tests_lanes_together(at, live)) return each(live.known.has_value());
    f_.either_way(all_of(live), [&] { each(true); }, [&] { each(false); });
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    if (repeat.count.is(1)) return body(place);
    amounts_.when_positive(repeat.count, [&](Value count) {
      const std::array first{place.table, place.tile, count};
      f_.loop(first, [&](const std::array<Value, 3>& now) {
        body(Place{now[0], now[1]});
        const Value table = f_.moved(now[0], amounts_[repeat.table_step]);
        const Value tile = f_.moved(now[1], amounts_[repeat.tile_step]);
        return counted_down<3>({table, tile, now[2]});
      });
    });
  }
  // Groups of neighbouring elements, all of which are written: those gathered, where one that is
  // not live becomes zero, and those spread over a cleared table.
  bool moves_vectors(const Position& at) const;
  Value gather(const Index& far, const Mask& live);
  void scatter(const Index& far, Value values, const Mask&);
  Value load_tiles(const Position& at);
  void store_tiles(const Position& at, Value values, const Mask&) { f_.store(values, at.tile); }
  template <class Vector, class Lanes>
  void when_distinct(const Index&, const Mask&, Vector&&, Lanes&& lanes) {
    lanes();  // nothing tells which of them meet
  }

  // Vectors of neighbours while there are enough, then smaller vectors or one by one.
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    if (run.is_static()) return known_elements(place, run.factor, body);
    const Value bytes = amounts_[run];
    const int wide = elements_.vector_lanes();
    const auto step = static_cast<std::uint64_t>(wide * plan_.element_size);
    const Value whole = f_.both(bytes, ~(step - 1));
    elements_between(place, {f_.number(0), whole, wide}, body);
    elements_between(place, {whole, bytes, 1}, body);
  }
  void copy(const Place& place, const Amount& run);
  void clear_tile(const Place& place, const Amount& run);
  void clear_written(std::int64_t bytes);

  Value load_table(const Place& place) {
    return elements_.load_to_combine(place.table, neighbours_);
  }
  Value load_tile(const Place& place) { return elements_.load(place.tile, neighbours_); }
  void store_table(const Place& place, Value value) { elements_.store(value, place.table); }
  Value sum(Value a, Value b) { return elements_.sum(a, b); }
  Value pick_if_less(Value a, Value b, Value yes, Value no) {
    return elements_.pick_if_less(a, b, yes, no);
  }

  // Auditing: positions are counted, slots remembered in the frame's scratch memory.
  void reset_report();
  template <class Body>
  void audit_positions(Body&& body) {
    amounts_.when_positive(plan_.audit.rows, [&](Value rows) {
      amounts_.when_positive(plan_.audit.cols, [&](Value cols) {
        const std::array first{index_, f_.number(0), rows};
        f_.loop(first, [&](const std::array<Value, 3>& now) {
          audit_row({now[0], nullptr, nullptr, now[1], 1}, cols, body);
          const Value index = f_.moved(now[0], plan_.audit.row_step);
          const Value flat = f_.add(now[1], cols);
          return counted_down<3>({index, flat, now[2]});
        });
      });
    });
  }
  void count_outside(const Position& at, const Mask& outside);
  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);
  void count_repeated(const Position& at, const Mask& live, const Mask& first);

 private:
  // A turn whose last carried value counts down to zero.
  template <std::size_t kCount>
  Turn<kCount> counted_down(std::array<Value, kCount> next) {
    next.back() = f_.sub(next.back(), 1);
    return {next, f_.is_nonzero(next.back())};
  }

  // A part of a run, in bytes, and how many elements to take at once.
  struct Stretch {
    Value from;
    Value to;
    int lanes;
  };
  template <class Body>
  void elements_between(const Place& place, const Stretch& stretch, Body& body) {
    const auto step = static_cast<std::uint64_t>(stretch.lanes * plan_.element_size);
    f_.when(f_.is_below(stretch.from, stretch.to), [&] {
      f_.loop(std::array{stretch.from}, [&](const std::array<Value, 1>& at) {
        neighbours(place, at[0], stretch.lanes, body);
        const Value next = f_.add(at[0], step);
        return Turn<1>{{next}, f_.is_below(next, stretch.to)};
      });
    });
  }
  template <class Body>
  void known_elements(const Place& place, std::int64_t bytes, Body& body) {
    const int wide = elements_.vector_lanes();
    const std::int64_t step = std::int64_t{wide} * plan_.element_size;
    std::int64_t at = 0;
    if (bytes > kUnrolledVectors * step) {
      at = bytes / step * step;
      elements_between(place, {f_.number(0), f_.number(at), wide}, body);
    }
    for (int lanes = wide; lanes > 0; lanes /= 2) {
      for (; bytes - at >= lanes * plan_.element_size; at += lanes * plan_.element_size) {
        neighbours(place, f_.number(at), lanes, body);
      }
    }
  }
  template <class Body>
  void neighbours(const Place& place, Value offset, int lanes, Body& body) {
    const Value table = f_.moved(place.table, offset);
    const Value tile = f_.moved(place.tile, offset);
    neighbours_ = lanes;
    body(Place{table, tile});
    neighbours_ = 1;
  }

  template <class Body>
  void audit_row(const Position& from, Value cols, Body&& body) {
    f_.loop(std::array{from.index, from.flat, cols}, [&](const std::array<Value, 3>& now) {
      body(Position{now[0], nullptr, nullptr, now[1], 1});
      const Value index = f_.moved(now[0], plan_.audit.col_step);
      const Value flat = f_.add(now[1], 1);
      return counted_down<3>({index, flat, now[2]});
    });
  }

  Index each(const Index& index, const std::function<Value(Value)>& make);
  Index unpacked(const Index& index);
  Index followed(const Index& index);
  Parts divided_by_constant(const Index& index, std::int64_t divisor);
  Parts divided_by_divisor(const Index& index, const Divisor& divisor);

  // Whether the lanes of a group make one vector.
  static bool is_vector(const Position& at) {
    return at.lanes > 1 && std::has_single_bit(static_cast<unsigned>(at.lanes));
  }

  // Whether one test comes before those of single lanes, for all are expected to be live.
  bool tests_lanes_together(const Position& at, const Mask& live) const;
  Value all_of(const Mask& live);

  Place place_of(const Position& at, const Index& far, int lane);
  RunLength length_of(const Amount& run) const;

  void count(const Position& at, std::size_t count_field, std::size_t first_field);
  Value report_field(std::size_t offset);

  static constexpr std::int64_t kUnrolledVectors = 4;

  FunctionBuilder& f_;
  const KernelPlan& plan_;
  Amounts amounts_;
  Levels levels_;
  Elements elements_;
  Runs runs_;
  int neighbours_ = 1;  // elements that load and store take at once
  Value index_ = nullptr;
  Value tile_ = nullptr;
  Value table_ = nullptr;
  Value ranks_ = nullptr;
  Value report_ = nullptr;
  Value scratch_ = nullptr;
};

}  // namespace pto::jit::llvm_backend
