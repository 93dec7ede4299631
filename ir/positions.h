// The positions of a plan's walk, one after the other, without a list of them: a walk may be longer
// than memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/plan.h"

namespace pto::jit {

// One position, as byte offsets into the three sides.
struct Point {
  std::int64_t index = 0;
  std::int64_t tile = 0;
  std::int64_t table = 0;
};

enum class Order : std::uint8_t { Forward, Backward };

template <class Visit>
class PointWalk {
 public:
  PointWalk(const KernelPlan& plan, const Frame& frame, Order order, Visit& visit)
      : plan_(plan), frame_(frame), order_(order), visit_(visit) {}

  void run() { descend(0, {}, 0); }

 private:
  // One level with its amounts worked out.
  struct Loop {
    std::int64_t count;
    std::int64_t columns;  // of a blocked first level, else 0
    Point step;
  };

  // `left` is how many columns a block has, from its first one on.
  void descend(std::size_t depth, const Point& from, std::int64_t left) {
    if (depth == plan_.level_count) return visit_(from);
    const Loop loop = loop_at(depth, left);
    for (std::int64_t i = 0; i < loop.count; ++i) {
      const std::int64_t at = order_ == Order::Forward ? i : loop.count - 1 - i;
      const Point next{from.index + at * loop.step.index, from.tile + at * loop.step.tile,
                       from.table + at * loop.step.table};
      descend(depth + 1, next, loop.columns > 0 ? loop.columns - at * plan_.block : left);
    }
  }

  Loop loop_at(std::size_t depth, std::int64_t left) const {
    const Level& level = plan_.levels[depth];
    const std::int64_t extent = value_in(frame_, level.extent);
    Loop loop{
        extent,
        0,
        {level.index_step, value_in(frame_, level.tile_step), value_in(frame_, level.table_step)}};
    if (plan_.block == 0) return loop;
    if (depth == 0) {
      loop.columns = extent;
      loop.count = (extent + plan_.block - 1) / plan_.block;
    } else if (depth + 1 == plan_.level_count) {
      loop.count = std::min(extent, left);
    }
    return loop;
  }

  const KernelPlan& plan_;
  const Frame& frame_;
  Order order_;
  Visit& visit_;
};

template <class Visit>
void for_each_point(const KernelPlan& plan, const Frame& frame, Order order, Visit&& visit) {
  PointWalk<std::remove_reference_t<Visit>>(plan, frame, order, visit).run();
}

// The indices an audit looks at, row-major.
template <class Visit>
void for_each_audited(const AuditWalk& audit, const Frame& frame, Visit&& visit) {
  const std::int64_t rows = value_in(frame, audit.rows);
  const std::int64_t cols = value_in(frame, audit.cols);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      visit(Point{r * audit.row_step + c * audit.col_step, 0, 0});
    }
  }
}

}  // namespace pto::jit
