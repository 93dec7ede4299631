// What one index moves, run by run and element by element: the repeats of a unit, and neighbouring
// elements taken as vectors.
#pragma once

#include <array>
#include <cstdint>

#include "ir/plan.h"
#include "jit/backends/llvm/amounts.h"
#include "jit/backends/llvm/elements.h"
#include "jit/backends/llvm/function_builder.h"

namespace pto::jit::llvm_backend {

struct Place {
  Value table;
  Value tile;
};

class Units {
 public:
  Units(FunctionBuilder& f, const KernelPlan& plan, const Amounts& amounts,
        const Elements& elements, const Abilities& abilities)
      : f_(f),
        plan_(plan),
        amounts_(amounts),
        vector_lanes_(elements.vector_lanes()),
        written_out_(abilities.written_out) {}

  int neighbours() const { return neighbours_; }  // elements at the place that is written about

  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    if (repeat.count.is(1)) return body(place);
    if (const int times = unrolled(repeat)) return repeat_unrolled(repeat, place, times, body);
    amounts_.when_positive(repeat.count, [&](Value count) {
      const std::array first{place.table, place.tile, count};
      f_.loop(first, [&](const std::array<Value, 3>& now) {
        body(Place{now[0], now[1]});
        const Value table = f_.moved(now[0], amounts_[repeat.table_step]);
        const Value tile = f_.moved(now[1], amounts_[repeat.tile_step]);
        return f_.counted_down<3>({table, tile, now[2]});
      });
    });
  }

  // Vectors of neighbours while there are enough, then smaller vectors or one by one.
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    if (run.is_static()) return known_elements(place, run.factor, body);
    const Value bytes = amounts_[run];
    Value done = f_.number(0);
    const auto take = [&](int lanes) {
      const auto step = static_cast<std::uint64_t>(lanes * plan_.element_size);
      const Value whole = f_.both(bytes, ~(step - 1));
      elements_between(place, {done, whole, lanes}, body);
      done = whole;
    };
    if (at_once() > vector_lanes_) take(at_once());
    take(vector_lanes_);
    elements_between(place, {done, bytes, 1}, body);
  }

 private:
  // So many elements as fill several vectors, where those are loaded before any is stored.
  int at_once() const { return vector_lanes_ * written_out_; }

  // How many of a unit's short runs are written about at once; 0: each by itself.
  int unrolled(const Repeat& repeat) const;
  template <class Body>
  void repeat_unrolled(const Repeat& repeat, const Place& place, int times, Body& body) {
    const auto at = [&](const Place& from, std::int64_t i) {
      return Place{f_.moved(from.table, i * repeat.table_step.factor),
                   f_.moved(from.tile, i * repeat.tile_step.factor)};
    };
    const auto several = [&](const Place& from, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) body(at(from, i));
    };
    const std::int64_t turns = repeat.count.factor / times;
    Place behind = place;
    if (turns > 1) {
      const std::array first{place.table, place.tile, f_.number(turns)};
      const auto last = f_.loop(first, [&](const std::array<Value, 3>& now) {
        const Place here{now[0], now[1]};
        several(here, times);
        const Place next = at(here, times);
        return f_.counted_down<3>({next.table, next.tile, now[2]});
      });
      behind = {last[0], last[1]};
    }
    several(behind, repeat.count.factor - (turns > 1 ? turns * times : 0));
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
    const int wide = at_once();
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

  static constexpr std::int64_t kUnrolledVectors = 4;

  FunctionBuilder& f_;
  const KernelPlan& plan_;
  const Amounts& amounts_;
  const int vector_lanes_;
  const int written_out_;
  int neighbours_ = 1;
};

}  // namespace pto::jit::llvm_backend
