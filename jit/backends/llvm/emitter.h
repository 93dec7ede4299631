// The LLVM emitter: writes down what the walks of ir/walk.h ask for, a group of neighbouring
// indices at a time where that pays. Its values are SSA values; loops carry where the walk stands.
#pragma once

#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "ir/plan.h"
#include "ir/plan_facts.h"
#include "jit/backends/llvm/amounts.h"
#include "jit/backends/llvm/choices.h"
#include "jit/backends/llvm/elements.h"
#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/levels.h"
#include "jit/backends/llvm/runs.h"
#include "jit/backends/llvm/scratch_slots.h"
#include "jit/backends/llvm/units.h"

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
    Value memory = nullptr;  // where what is packed lies, as long as it is as it was loaded
    Value scale = nullptr;   // of packed addresses: what each lane is still to be multiplied by
    bool leaves = false;     // as its position
  };
  // One vector, or lane by lane. Of a vector lanes are made where they are used.
  struct Mask {
    std::optional<bool> known;  // of all lanes
    std::vector<Value> lanes;
    bool is_inverted = false;  // the lanes that resolving left out
    Value packed = nullptr;
    Index compared = {};  // with the capacity, where that is all the vector was made of
  };
  using Place = llvm_backend::Place;
  struct Parts {
    Index quotient;
    Index remainder;
  };

  Emitter(FunctionBuilder& f, const KernelPlan& plan, const Abilities& abilities);

  const Choices& choices() const { return choices_; }

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
  Mask within(const Index& slot, const SlotRange& own);

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
      return f_.counted_down<3>({rank, tile, now[2]});
    });
  }
  template <class Body>
  void positions(Body&& body) {
    Position start;
    start.tile = tile_;
    start.index = index_;
    if (!index_) start.table = f_.number(0);
    if (choices_.form == Form::Registers) load_registers();
    scratch_slots_.find(table_);
    if (choices_.scratch > 0 || choices_.scans) find_word_capacity();
    if (looks_at_widths()) {
      return levels_.each(start, body, [&](const auto& loop) { at_width(widest_width(), loop); });
    }
    const auto walk = [&] {
      levels_.each(start, body, [&](const auto& loop) { loop(sorts_out()); });
    };
    if (!choices_.streams) return walk();
    const auto streaming = [&] {
      runs_.stream(true);
      walk();
      runs_.stream(false);
      f_.fence_stores();
    };
    f_.either_way(f_.is_aligned(table_, kLine), streaming, walk);
  }

  // A group that is one vector by the bits of its mask, for most of a part's have few.
  template <class Body>
  void each_live(const Position& at, const Index& slot, const Mask& live, Body&& body) {
    if (live.packed) {
      const Value bits = f_.bits_of(live.packed);
      f_.when(f_.is_nonzero(bits), [&] {
        f_.loop(std::array{bits}, [&](const std::array<Value, 1>& left) {
          const Value lane = f_.trailing_zeros(left[0]);
          body(lane_at(at, lane), Index{nullptr, {f_.lane(slot.packed, lane)}});
          const Value next = f_.both(left[0], f_.sub(left[0], 1));
          return Turn<1>{{next}, f_.is_nonzero(next)};
        });
      });
      return;
    }
    for (int i = 0; i < at.lanes; ++i) {
      const auto lane = static_cast<std::size_t>(i);
      f_.when(live.lanes[lane],
              [&] { body(lane_at(at, f_.number(i)), Index{nullptr, {slot.lanes[lane]}}); });
    }
  }

  // Moving.
  template <class Body>
  void each_lane(const Position& at, const Index& far, const Mask& live, Body&& body) {
    const auto each = [&](const Index& near) {
      for (int i = 0; i < at.lanes; ++i) body(place_of(at, near, i));
    };
    if (live.known == true) return each(taken_apart(far));
    if (live.known == false || (uses_scratch() && live.is_inverted)) return;
    if (uses_scratch()) return each(redirected(far, live));
    const auto some = [&] {
      const Index near = taken_apart(far);
      const std::vector<Value> flags = flags_of(live);
      for (int i = 0; i < at.lanes; ++i) {
        const Place place = place_of(at, near, i);
        f_.when(flags[static_cast<std::size_t>(i)], [&] { body(place); });
      }
    };
    if (at.lanes == 1) return some();
    if (live.is_inverted) return f_.when(any_of(live), some);
    f_.either_way(all_of(live), [&] { each(taken_apart(far)); }, some);
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    units_.repeat(repeat, place, body);
  }
  // Groups of neighbouring elements, all of which are written: those gathered, where one that is
  // not live becomes zero, those spread over a table, and batches that are live as a whole.
  bool moves_vectors(const Position& at) const;
  Value gather(const Index& far, const Mask& live);
  void scatter(const Index& far, Value values, const Mask&);
  Value load_tiles(const Position& at);
  void store_tiles(const Position& at, Value values, const Mask&) {
    at.count ? f_.store_some(values, at.tile, at.count) : f_.store(values, at.tile);
  }
  template <class Vector, class Lanes>
  void when_distinct(const Index& far, const Mask& live, Vector&& vector, Lanes&& lanes) {
    f_.either_way(is_whole_batch(far, live), vector, lanes);
  }

  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    units_.each_element(place, run, body);
  }
  void copy(const Place& place, const Amount& run);
  void clear_tile(const Place& place, const Amount& run);
  void clear_written(std::int64_t bytes);

  Value load_table(const Place& place) { return elements_.load(place.table, units_.neighbours()); }
  Value load_tile(const Place& place) { return elements_.load(place.tile, units_.neighbours()); }
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
          return f_.counted_down<3>({index, flat, now[2]});
        });
      });
    });
  }
  void count_outside(const Position& at, const Mask& outside);
  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);
  void count_repeated(const Position& at, const Mask& live, const Mask& first);

 private:
  template <class Body>
  void audit_row(const Position& from, Value cols, Body&& body) {
    f_.loop(std::array{from.index, from.flat, cols}, [&](const std::array<Value, 3>& now) {
      body(Position{now[0], nullptr, nullptr, now[1], 1});
      const Value index = f_.moved(now[0], plan_.audit.col_step);
      const Value flat = f_.add(now[1], 1);
      return f_.counted_down<3>({index, flat, now[2]});
    });
  }

  Index each(const Index& index, const std::function<Value(Value)>& make);
  bool has_word_digits() const {
    return plan_.digit_count > 1 && digits_are_known(plan_) && digits_fit_words(plan_);
  }
  Index unpacked(const Index& index);
  Parts divided_by_constant(const Index& index, std::int64_t divisor);
  Parts divided_by_divisor(const Index& index, const Divisor& divisor);

  // Whether the lanes of a group make one vector.
  static bool is_vector(const Position& at) {
    return at.lanes > 1 && std::has_single_bit(static_cast<unsigned>(at.lanes));
  }

  std::vector<Value> flags_of(const Mask& mask);
  Value any_of(const Mask& mask);
  Value all_of(const Mask& mask);

  // Widths known only at run time are looked at before the first group: the loop is written for
  // each power of two that a run may have, and for each range between.
  bool looks_at_widths() const;
  int widest_width() const;
  template <class Loop>
  void at_width(int width, const Loop& loop) {
    if (width < plan_.element_size) return;
    const Value run = amounts_[plan_.unit.run];
    const Value is_short = f_.is_below(run, static_cast<std::uint64_t>(width));
    const auto shorter = [&] { at_width(width / 2, loop); };
    f_.either_way(is_short, shorter, [&] {
      if (width == runs_.widest_floor()) return at_widest(loop);
      if (is_only_width(width)) return at_known({width, width}, loop);
      f_.either_way(
          f_.is_equal(run, f_.number(width)), [&] { at_known({width, width}, loop); },
          [&] { at_known({width, std::int64_t{2} * width - 1}, loop); });
    });
  }
  // Runs that no scratch slot holds have a loop of their own.
  template <class Loop>
  void at_widest(const Loop& loop) {
    const int floor = runs_.widest_floor();
    const std::int64_t longest = longest_run(plan_);
    if (choices_.scratch < floor || longest <= choices_.scratch)
      return at_known({floor, longest}, loop);
    const auto beyond = static_cast<std::uint64_t>(choices_.scratch) + 1;
    f_.either_way(
        f_.is_below(amounts_[plan_.unit.run], beyond),
        [&] { at_known({floor, choices_.scratch}, loop); },
        [&] { at_known({floor, longest}, loop); });
  }
  // What is known of a run's bytes while the loop is written for it.
  struct Width {
    int floor = 0;  // as a run length has it; 0: nothing is known
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    bool is_exact() const { return floor == most; }
  };
  template <class Loop>
  void at_known(const Width& width, const Loop& loop) {
    width_ = width;
    loop(sorts_out());
    width_ = {};
  }
  bool is_only_width(int width) const;

  void ask_ahead(const Position& at);

  // A loop while all indices are in range; from the first group on of which one is not, another
  // goes on that has nothing to guess.
  bool sorts_out() const;
  const Index& leave_unless_inside(const Index& index);
  Value is_any_outside(const Index& index);  // or in doubt
  void find_word_capacity();

  // Units of indices out of range, moved all the same.
  std::int64_t most_run() const;  // bytes
  bool uses_scratch() const { return scratch_slots_.hold(most_run()); }
  Index redirected(const Index& far, const Mask& live);  // lane by lane

  Place place_of(const Position& at, const Index& near, int lane);
  Position lane_at(const Position& at, Value lane);
  // Addresses lane by lane.
  Index taken_apart(const Index& far);

  // Batches.
  Value gather_bits(const Index& far, const Mask& live);
  Value gather_words(const Index& far, const Mask& live);
  Value gather_held(const Index& far, const Mask& live);
  Value is_whole_batch(const Index& far, const Mask& live);

  // Tables in registers.
  void load_registers();
  Value in_registers(Value slots);
  Value bytes_in_registers(Value slots);

  // What a spread leaves of the table.
  bool spreads_over_all() const;
  void clear_around_spread();
  void clear_behind(Value from, const Level& level, std::int64_t bytes);
  RunLength length_of(const Amount& run) const;

  void count(const Position& at, std::size_t count_field, std::size_t first_field);
  Value report_field(std::size_t offset);

 protected:
  FunctionBuilder& f_;
  const KernelPlan& plan_;
  const Choices choices_;
  Amounts amounts_;
  Levels levels_;
  Elements elements_;
  Runs runs_;
  Units units_;
  ScratchSlots scratch_slots_;
  Width width_;
  Value word_capacity_ = nullptr;  // the greatest word where that is less
  std::vector<Value> registers_;
  Value index_ = nullptr;
  Value tile_ = nullptr;
  Value table_ = nullptr;
  Value ranks_ = nullptr;
  Value report_ = nullptr;
  Value scratch_ = nullptr;
};

}  // namespace pto::jit::llvm_backend
