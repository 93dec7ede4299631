// A walk cut into boxes: walks of the same levels that are not as long. Any run of positions, in
// the order of the walk, is a few of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/positions.h"

namespace pto::jit {

struct Box {
  Point from;                             // where its first position is
  std::array<std::int64_t, 3> extents{};  // level by level; blocks count columns, as in a plan
};

class BoxedWalk {
 public:
  BoxedWalk(const KernelPlan& plan, const Frame& frame);

  std::int64_t positions() const { return positions_; }

  // The boxes of the positions from `first` to before `last`, in order.
  using Visit = std::function<void(const Box&)>;
  void cut(std::int64_t first, std::int64_t last, const Visit& visit) const;

  // Where a position is.
  Point place_of(std::int64_t position) const;

 private:
  // Positions of the levels from `depth` on, in a box that is known up to there.
  struct Piece {
    std::size_t depth;
    Box box;
    std::int64_t first;
    std::int64_t last;
  };
  void cut_piece(const Piece& piece, const Visit& visit) const;
  void cut_turn(const Piece& piece, std::int64_t turn, const Visit& visit) const;
  void take_turns(const Piece& piece, std::int64_t from, std::int64_t to, const Visit& visit) const;
  std::int64_t size_of_turn(const Piece& piece) const;
  Point moved(const Point& from, std::size_t depth, std::int64_t turns) const;

  const std::size_t levels_;
  const std::int64_t block_;
  std::array<std::int64_t, 3> extents_{};
  std::array<Point, 3> steps_{};
  std::int64_t positions_ = 1;
};

}  // namespace pto::jit
