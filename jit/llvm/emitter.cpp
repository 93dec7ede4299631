#include "jit/llvm/emitter.h"

#include <cstddef>

#include "ir/frame.h"
#include "ir/plan_facts.h"

namespace pto::jit::llvm_backend {

Emitter::Emitter(FunctionBuilder& f, const KernelPlan& plan, const Abilities& abilities)
    : f_(f),
      plan_(plan),
      amounts_(f, plan),
      levels_(f, plan, amounts_, group_size(plan)),
      elements_(f, plan.number, abilities),
      runs_(f, abilities) {
  const auto read = [&](std::size_t offset, const char* name) {
    const Value field = f_.moved(f_.parameter(), static_cast<std::int64_t>(offset));
    return f_.named(f_.load({Scalar::Pointer}, field), name);
  };
  tile_ = read(offsetof(Frame, tile), "tile");
  if (plan.has_index()) index_ = read(offsetof(Frame, index), "index");
  if (plan.ranks > 0) ranks_ = read(offsetof(Frame, ranks), "ranks");
  if (plan.ranks == 0) {
    table_ = f_.moved(read(offsetof(Frame, table), "table"), plan.table_base);
  }
  if (!plan.audit.is_on) return;
  report_ = read(offsetof(Frame, report), "report");
  if (plan.audit.counts_collisions) scratch_ = read(offsetof(Frame, scratch), "scratch");
}

Emitter::Mask Emitter::below(const Index& index, const Amount& limit) {
  if (limit.is_static() && limit.factor > 0xffffffff) return always();
  const Index single = unpacked(index);
  Mask out;
  if (index.packed && limit.is_static()) {
    out.packed = f_.is_below(index.packed, static_cast<std::uint64_t>(limit.factor));
  }
  for (const Value lane : single.lanes) {
    const Value wide = f_.extended(lane, Scalar::I64);
    out.lanes.push_back(f_.is_below(wide, amounts_[limit]));
  }
  return out;
}

Emitter::Mask Emitter::inverted(const Mask& mask) {
  if (mask.known) return {!*mask.known, {}, !mask.is_inverted, nullptr};
  Mask out{std::nullopt, {}, !mask.is_inverted, nullptr};
  for (const Value lane : mask.lanes) out.lanes.push_back(f_.is_not(lane));
  return out;
}

bool Emitter::tests_lanes_together(const Position& at, const Mask& live) const {
  return at.lanes > 1 && !live.known && !live.is_inverted && moves_elements(plan_);
}

Value Emitter::all_of(const Mask& live) {
  if (live.packed) return f_.is_not(f_.any(f_.is_not(live.packed)));
  Value all = live.lanes.front();
  for (const Value lane : live.lanes) all = f_.both(all, lane);
  return all;
}

bool Emitter::moves_vectors(const Position& at) const {
  const bool gathers = plan_.direction == Direction::ToTile && plan_.oob != Oob::Skip;
  return is_vector(at) && fills_vectors(plan_) && (gathers || spread_of(plan_) > 0);
}

// Lanes that are not live read a slot there is, see followed(), or else the tile's first element.
Value Emitter::gather(const Index& far, const Mask& live) {
  const Type type{bits_of_size(plan_.element_size)};
  const bool can_read_all = live.known || live.packed;
  std::vector<Value> values;
  for (std::size_t i = 0; i < far.lanes.size(); ++i) {
    const Value table = f_.moved(table_, far.lanes[i]);
    const Value from = can_read_all ? table : f_.choose(live.lanes[i], table, tile_);
    values.push_back(f_.load(type, from));
  }
  const Value packed = f_.packed(values);
  if (live.known) return packed;
  const Value is_live = live.packed ? live.packed : f_.packed(live.lanes);
  return f_.choose(is_live, packed, f_.constant(0, packed));
}

Value Emitter::load_tiles(const Position& at) {
  return f_.load({bits_of_size(plan_.element_size), at.lanes}, at.tile);
}

// Zeros between the elements, which is what the fill has left there.
void Emitter::scatter(const Index& far, Value values, const Mask&) {
  const int distance = spread_of(plan_);
  const std::int64_t first = plan_.table_base / plan_.element_size % distance;
  const Value spread = f_.with_zeros_between(values, distance, static_cast<int>(first));
  const Value table = f_.moved(table_, far.lanes.front());
  f_.store(spread, f_.moved(table, -first * plan_.element_size));
}

Emitter::Place Emitter::place_of(const Position& at, const Index& far, int lane) {
  const Value table = f_.moved(table_, far.lanes[static_cast<std::size_t>(lane)]);
  if (lane == 0) return {table, at.tile};
  const Value step = f_.mul(amounts_[innermost(plan_).tile_step], f_.number(lane));
  return {table, f_.moved(at.tile, step)};
}

RunLength Emitter::length_of(const Amount& run) const {
  return {amounts_[run], run.is_static() ? run.factor : -1, plan_.element_size};
}

void Emitter::copy(const Place& place, const Amount& run) {
  const bool to_table = plan_.direction == Direction::ToTable;
  runs_.copy(to_table ? place.table : place.tile, to_table ? place.tile : place.table,
             length_of(run));
}

void Emitter::clear_tile(const Place& place, const Amount& run) {
  runs_.clear(place.tile, length_of(run));
}

void Emitter::clear_written(std::int64_t bytes) {
  const bool to_table = plan_.direction == Direction::ToTable;
  const Value written = to_table ? f_.moved(table_, -plan_.table_base) : tile_;
  runs_.clear(written, length_of(bytes));
}

}  // namespace pto::jit::llvm_backend
