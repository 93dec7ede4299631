#include "jit/backends/xbyak/units.h"

#include "jit/backends/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;

namespace {

constexpr std::int64_t kWrittenOut = 16;  // repeats of a short run
constexpr std::size_t kLine = 64;
constexpr std::int64_t kFarOffset = 1 << 30;  // what an address can hold

bool fits_address(const Amount& step) {
  return step.is_static() && step.factor < kFarOffset / kWrittenOut;
}

}  // namespace

// Around the caches to where rows begin and end anywhere in a line: into a tile, to ranks.
bool Units::is_peeled(const Way& way) const {
  const bool is_aligned = plan_.direction == Direction::ToTable && plan_.ranks == 0;
  return way.kind == Way::Kind::Stream && !is_aligned;
}

// A run that is written out where it lies, changing no register.
bool Units::run_is_direct(const Way& way) const {
  const Amount& run = plan_.unit.run;
  if (is_peeled(way)) return false;
  if (way.kind == Way::Kind::Exact) return true;
  if (plan_.combine == Atomic::None) return way.kind == Way::Kind::Ends || is_short_run(a_, run);
  if (run.is(plan_.element_size)) return true;
  const int wide = elements_.vector_bytes(plan_.combine);
  return run.is_static() && wide > 0 && run.factor < 5 * wide;
}

// A line that comes from far, where two halves fare better than the whole.
bool Units::waits_for_line(const Way& way) const {
  return way.kind == Way::Kind::Plain && plan_.unit.run.is(kLine) && plan_.capacity.is_static() &&
         plan_.direction == Direction::ToTile && strategy_.prefetch >= kFarAhead;
}

bool Units::steps_fit_addresses(const Repeat& repeat) {
  return fits_address(repeat.table_step) && fits_address(repeat.tile_step);
}

// The table's register is stepped, the tile's is not.
bool Units::steps_table(const Repeat& repeat) {
  return !repeat.table_step.is_static() && fits_address(repeat.tile_step);
}

bool Units::is_stepped_out(const Repeat& repeat) {
  return steps_table(repeat) && repeat.count.is_static() && repeat.count.factor <= kWrittenOut;
}

bool Units::is_written_out(const Repeat& repeat, const Way& way) const {
  return run_is_direct(way) && repeat.count.is_static() && repeat.count.factor <= kWrittenOut &&
         steps_fit_addresses(repeat);
}

bool Units::are_direct(const Way& way) const {
  const auto is_direct = [&](const Repeat& repeat) {
    return repeat.count.is(1) || is_written_out(repeat, way);
  };
  return run_is_direct(way) && is_direct(plan_.unit.inner) && is_direct(plan_.unit.outer);
}

void Units::step_inner(const Place& place, int times) {
  const Repeat& inner = plan_.unit.inner;
  if (inner.table_step.is_static()) a_.add_amount(place.table_reg.reg(), inner.table_step * times);
  a_.add_amount(place.tile_reg.reg(), inner.tile_step * times);
}

// Repeats walk from their own stack slots, so that bodies may spend the place's registers.
Units::RepeatSlots Units::start_repeat(const Repeat& repeat, const Place& place, Label& done) {
  const RepeatSlots slots{a_.new_slot(), a_.new_slot(), a_.new_slot()};
  a_.load(a_.rax, repeat.count);
  if (!repeat.count.is_static()) {
    a_.test(a_.rax, a_.rax);
    a_.jz(done, Assembler::T_NEAR);
  }
  a_.mov(a_[slots.count], a_.rax);
  a_.mov(a_[slots.table], place.table_reg.reg());
  a_.mov(a_[slots.tile], place.tile_reg.reg());
  return slots;
}

void Units::step_repeat(const Repeat& repeat, const Place& place, const RepeatSlots& slots) {
  const auto step = [&](const Loan& reg, StackSlot slot, const Amount& by) {
    a_.mov(reg.reg(), a_[slot]);
    a_.add_amount(reg.reg(), by);
    a_.mov(a_[slot], reg.reg());
  };
  step(place.table_reg, slots.table, repeat.table_step);
  step(place.tile_reg, slots.tile, repeat.tile_step);
  a_.dec(a_[slots.count]);
}

void Units::copy_known(const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                       std::int64_t bytes) const {
  bytes <= strategy_.halves ? copy_by_halves(a_, to, from, bytes) : copy_short(a_, to, from, bytes);
}

void Units::copy(const Place& place, const Amount& run) {
  const Way& way = *place.way;
  const bool to_table = plan_.direction == Direction::ToTable;
  const Xbyak::RegExp& to = to_table ? place.table : place.tile;
  const Xbyak::RegExp& from = to_table ? place.tile : place.table;
  if (way.kind == Way::Kind::Ends)
    return copy_ends(a_, to, from, {way.width, way.front(), way.back, way.run});
  if (way.kind == Way::Kind::Exact) return copy_known(to, from, way.bytes());
  if (waits_for_line(way)) {
    copy_short(a_, to, from, kLine / 2);
    return copy_short(a_, to + kLine / 2, from + kLine / 2, kLine / 2);
  }
  if (run_is_direct(way)) {
    return way.kind == Way::Kind::Stream ? stream_short(a_, to, from, run.factor)
                                         : copy_known(to, from, run.factor);
  }
  const Reg64 table = place.table_reg.reg();
  const Reg64 tile = place.tile_reg.reg();
  const std::int64_t least = way.kind == Way::Kind::Loop ? way.bytes() + 1 : 0;
  const LongCopy copy{to_table ? table : tile, to_table ? tile : table, run,
                      plan_.element_size,      strategy_.string_from,   least};
  if (is_peeled(way)) return stream_peeled(a_, copy);
  if (way.kind == Way::Kind::Stream) return stream_run(a_, copy);
  if (way.kind == Way::Kind::Loop) return copy_long(a_, copy);
  copy_run(a_, copy);
}

void Units::clear_tile(const Place& place, const Amount& run) {
  const Way& way = *place.way;
  if (way.kind == Way::Kind::Ends)
    return clear_ends(a_, place.tile, {way.width, way.front(), way.back, way.run});
  if (way.kind == Way::Kind::Exact) return clear_short(a_, place.tile, way.bytes());
  if (run_is_direct(way)) return clear_short(a_, place.tile, run.factor);
  if (way.kind == Way::Kind::Loop) return clear_long(a_, place.tile_reg.reg(), run);
  clear_run(a_, place.tile_reg.reg(), run, plan_.element_size);
}

}  // namespace pto::jit::xbyak
