#include "ir/boxes.h"

#include <algorithm>

#include "ir/interpreter.h"
#include "ir/quantity.h"

namespace pto::jit {

BoxedWalk::BoxedWalk(const KernelPlan& plan, const Frame& frame)
    : levels_(plan.level_count), block_(plan.block) {
  for (std::size_t depth = 0; depth < levels_; ++depth) {
    const Level& level = plan.levels[depth];
    extents_[depth] = std::max<std::int64_t>(value_in(frame, level.extent), 0);
    steps_[depth] = {level.index_step, value_in(frame, level.tile_step),
                     value_in(frame, level.table_step)};
    const bool is_width = block_ > 0 && depth + 1 == levels_;  // counted by columns already
    if (!is_width) positions_ = saturating_product(positions_, extents_[depth]);
  }
}

void BoxedWalk::cut(std::int64_t first, std::int64_t last, const Visit& visit) const {
  if (first < last) cut_piece({0, {{}, extents_}, first, last}, visit);
}

Point BoxedWalk::place_of(std::int64_t position) const {
  Point out;
  cut(position, position + 1, [&](const Box& box) { out = box.from; });
  return out;
}

// What is left of a turn, whole turns, what is begun of another.
void BoxedWalk::cut_piece(const Piece& piece, const Visit& visit) const {
  if (piece.depth + 1 == levels_) return take_turns(piece, piece.first, piece.last, visit);
  const std::int64_t size = size_of_turn(piece);
  const std::int64_t begun = piece.first / size;
  const std::int64_t from = (piece.first + size - 1) / size;
  const std::int64_t to = piece.last / size;
  if (from > begun) cut_turn(piece, begun, visit);
  if (from < to) take_turns(piece, from, to, visit);
  if (to >= from && to * size < piece.last) cut_turn(piece, to, visit);
}

void BoxedWalk::cut_turn(const Piece& piece, std::int64_t turn, const Visit& visit) const {
  const bool is_block = block_ > 0 && piece.depth == 0;
  const std::int64_t size = size_of_turn(piece);
  Piece inside = piece;
  inside.box.from = moved(piece.box.from, piece.depth, turn);
  inside.box.extents[piece.depth] = is_block ? std::min(block_, extents_[0] - turn * block_) : 1;
  inside.first = std::max<std::int64_t>(piece.first - turn * size, 0);
  inside.last = std::min(piece.last - turn * size, size);
  ++inside.depth;
  cut_piece(inside, visit);
}

// Columns of a block are the first level's, however few.
void BoxedWalk::take_turns(const Piece& piece, std::int64_t from, std::int64_t to,
                           const Visit& visit) const {
  Box box = piece.box;
  box.from = moved(box.from, piece.depth, from);
  const bool counts_columns = block_ > 0 && piece.depth + 1 == levels_;
  const bool is_block = block_ > 0 && piece.depth == 0;
  std::int64_t& extent = box.extents[counts_columns ? 0 : piece.depth];
  extent = is_block ? std::min(to * block_, extents_[0]) - from * block_ : to - from;
  visit(box);
}

// Of blocks all but the last are whole.
std::int64_t BoxedWalk::size_of_turn(const Piece& piece) const {
  std::int64_t size = 1;
  for (std::size_t depth = piece.depth + 1; depth < levels_; ++depth) {
    const bool is_width = block_ > 0 && depth + 1 == levels_;
    const std::int64_t width = piece.depth == 0 ? block_ : piece.box.extents[0];
    size = saturating_product(size, is_width ? width : extents_[depth]);
  }
  return std::max<std::int64_t>(size, 1);
}

Point BoxedWalk::moved(const Point& from, std::size_t depth, std::int64_t turns) const {
  const Point& step = steps_[depth];
  return {from.index + turns * step.index, from.tile + turns * step.tile,
          from.table + turns * step.table};
}

}  // namespace pto::jit
