#include "jit/backends/llvm/emitter.h"

#include <algorithm>
#include <cstddef>

#include "ir/frame.h"
#include "ir/plan_facts.h"

namespace pto::jit::llvm_backend {
Emitter::Emitter(FunctionBuilder& f, const KernelPlan& plan, const Abilities& abilities)
    : f_(f),
      plan_(plan),
      choices_(choose(plan, abilities)),
      amounts_(f, plan),
      levels_(f, plan, amounts_, choices_.group, choices_.gathers),
      elements_(f, plan.number, abilities),
      runs_(f, abilities, choices_.halves),
      units_(f, plan, amounts_, elements_, abilities),
      scratch_slots_(f, plan, choices_) {
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
  scratch_slots_.reserve(runs_);
  if (!plan.audit.is_on) return;
  report_ = read(offsetof(Frame, report), "report");
  if (plan.audit.counts_collisions) scratch_ = read(offsetof(Frame, scratch), "scratch");
}

Emitter::Mask Emitter::below(const Index& index, const Amount& limit) {
  if (limit.is_static() && limit.factor > 0xffffffff) return always();
  Mask out;
  if (index.leaves) {
    leave_unless_inside(index);
    return always();
  }
  if (index.packed && limit.is_static()) {
    out.packed = f_.is_below(index.packed, static_cast<std::uint64_t>(limit.factor));
    out.compared = index;
    return out;
  }
  for (const Value lane : unpacked(index).lanes) {
    const Value wide = f_.extended(lane, Scalar::I64);
    out.lanes.push_back(f_.is_below(wide, amounts_[limit]));
  }
  return out;
}

Emitter::Mask Emitter::inverted(const Mask& mask) {
  Mask out = mask;
  out.is_inverted = !mask.is_inverted;
  if (mask.known) out.known = !*mask.known;
  if (mask.packed) out.packed = f_.is_not(mask.packed);
  for (Value& lane : out.lanes) lane = f_.is_not(lane);
  return out;
}

// The slots of a part are at least one and at most 2^32, so what comes before the last fits a lane.
Emitter::Mask Emitter::within(const Index& slot, const SlotRange& own) {
  const Value first = f_.cut(amounts_[own.first], Scalar::I32);
  const Value last = f_.cut(f_.sub(amounts_[own.count], 1), Scalar::I32);
  const auto is_own = [&](Value number) {
    const Value from_first = f_.sub(number, f_.spread(first, number));
    return f_.is_not(f_.is_below(f_.spread(last, number), from_first));
  };
  Mask out;
  if (slot.packed) out.packed = is_own(slot.packed);
  for (const Value lane : slot.lanes) out.lanes.push_back(is_own(lane));
  return out;
}

Position Emitter::lane_at(const Position& at, Value lane) {
  const Value step = f_.mul(amounts_[innermost(plan_).tile_step], lane);
  return {nullptr, f_.moved(at.tile, step), nullptr, nullptr, 1};
}

std::vector<Value> Emitter::flags_of(const Mask& mask) {
  if (!mask.packed) return mask.lanes;
  std::vector<Value> out;
  if (!mask.compared.packed) {
    for (int i = 0; i < f_.lanes_of(mask.packed); ++i) out.push_back(f_.lane(mask.packed, i));
    return out;
  }
  for (const Value lane : unpacked(mask.compared).lanes) {
    const Value is_inside = f_.is_below(lane, static_cast<std::uint64_t>(plan_.capacity.factor));
    out.push_back(mask.is_inverted ? f_.is_not(is_inside) : is_inside);
  }
  return out;
}

Value Emitter::any_of(const Mask& mask) {
  if (mask.packed) return f_.any(mask.packed);
  Value any = mask.lanes.front();
  for (const Value lane : mask.lanes) any = f_.either(any, lane);
  return any;
}

Value Emitter::all_of(const Mask& mask) { return f_.is_not(any_of(inverted(mask))); }

bool Emitter::looks_at_widths() const {
  return plan_.has_index() && !plan_.unit.run.is_static() && plan_.combine == Atomic::None;
}

// Whether no other run is as long and shorter than twice as long.
bool Emitter::is_only_width(int width) const {
  return width == plan_.element_size || width == longest_run(plan_);
}

int Emitter::widest_width() const {
  int width = runs_.widest_floor();
  while (width > longest_run(plan_) && width > plan_.element_size) width /= 2;
  return width;
}

bool Emitter::sorts_out() const {
  const bool fits_words = !plan_.capacity.is_static() || plan_.capacity.factor <= 0xffffffff;
  return choices_.gathers == 0 && !plan_.own.is_on && fits_words &&
         (choices_.scans || uses_scratch());
}

const Emitter::Index& Emitter::leave_unless_inside(const Index& index) {
  f_.leave_when(is_any_outside(index));
  return index;
}

Value Emitter::is_any_outside(const Index& index) {
  const auto is_inside = [&](Value raw) {
    return f_.is_below(raw, f_.spread(word_capacity_, raw));
  };
  if (index.packed && choices_.finds_greatest)
    return f_.is_not(is_inside(f_.greatest(index.packed)));
  Mask inside;
  if (index.packed) inside.packed = is_inside(index.packed);
  for (const Value lane : index.lanes) inside.lanes.push_back(is_inside(lane));
  return any_of(inverted(inside));
}

void Emitter::find_word_capacity() {
  const Value capacity = amounts_[plan_.capacity];
  word_capacity_ = f_.cut(f_.least(capacity, f_.constant(0xffffffff, capacity)), Scalar::I32);
}

std::int64_t Emitter::most_run() const {
  return plan_.unit.run.is_static() ? plan_.unit.run.factor : width_.most;
}

// Numbers are chosen before they are scaled, which an address does by the way. What is compared is
// what is chosen, where that says as much: one register less.
Emitter::Index Emitter::redirected(const Index& far, const Mask& live) {
  const std::int64_t scale = far.packed ? scratch_slots_.scale() : 1;
  const Amount limit = scale > 1 ? plan_.capacity : plan_.capacity * plan_.digits[0].step;
  const bool says_as_much = live.compared.packed && plan_.digit_count == 1 && limit.is_static();
  const std::vector<Value> flags = says_as_much ? std::vector<Value>() : flags_of(live);
  const auto number_of = [&](Value lane) { return f_.extended(lane, Scalar::I64); };
  Index near = scale > 1 ? each(unpacked(far), number_of) : taken_apart(far);
  for (std::size_t i = 0; i < near.lanes.size(); ++i) {
    Value& lane = near.lanes[i];
    const Value is_live =
        says_as_much ? f_.is_below(lane, static_cast<std::uint64_t>(limit.factor)) : flags[i];
    const Value chosen =
        f_.choose_unguessed(is_live, lane, scratch_slots_.of({i, scale, most_run()}));
    lane = f_.mul(chosen, static_cast<std::uint64_t>(scale));
  }
  return near;
}

Emitter::Place Emitter::place_of(const Position& at, const Index& near, int lane) {
  const Value table = f_.moved(table_, near.lanes[static_cast<std::size_t>(lane)]);
  if (lane == 0) return {table, at.tile};
  const Value step = f_.mul(amounts_[innermost(plan_).tile_step], f_.number(lane));
  return {table, f_.moved(at.tile, step)};
}

RunLength Emitter::length_of(const Amount& run) const {
  if (run == plan_.unit.run && width_.is_exact())
    return {amounts_[run], width_.most, plan_.element_size};
  return {amounts_[run], run.is_static() ? run.factor : -1, plan_.element_size, width_.floor};
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
  if (spreads_over_all()) return clear_around_spread();
  const bool to_table = plan_.direction == Direction::ToTable;
  const Value written = to_table ? f_.moved(table_, -plan_.table_base) : tile_;
  runs_.clear(written, length_of(bytes));
}

}  // namespace pto::jit::llvm_backend
