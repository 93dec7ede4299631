#include "jit/xbyak/emitter.h"

#include <bit>
#include <cstddef>

#include "ir/frame.h"
#include "jit/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::RegExp;

Emitter::Emitter(Assembler& a, const KernelPlan& plan, const Strategy& strategy)
    : a_(a), plan_(plan), strategy_(strategy), elements_(a, plan.number) {}

void Emitter::begin() {
  a_.prologue();
  keep_amounts();
  keep_pointers();
  if (strategy_.group > 1) keep_limits();
}

void Emitter::end() {
  a_.epilogue();
  elements_.emit_constants();
}

void Emitter::keep_amounts() {
  for_each_amount(plan_, [&](const Amount& amount) { a_.keep(amount); });
  if (plan_.oob == Oob::Wrap) keep_magic(plan_.capacity);
  for (std::size_t i = 0; i + 1 < plan_.digit_count; ++i) keep_magic(plan_.digits[i].radix);
}

// The multiplier of a runtime divisor, worked out once. A divisor of zero stands where no slot is
// live; one will do as well.
void Emitter::keep_magic(const Amount& divisor) {
  if (divisor.is_static()) return;
  const Magic magic{divisor, a_.new_slot(), a_.new_slot()};
  a_.mov(a_.rcx, a_[a_.slot_of(divisor)]);
  a_.mov(a_.eax, 1);
  a_.test(a_.rcx, a_.rcx);
  a_.cmovz(a_.rcx, a_.rax);
  a_.mov(a_[magic.divisor_slot], a_.rcx);
  a_.mov(a_.rax, -1);
  a_.xor_(a_.edx, a_.edx);
  a_.div(a_.rcx);
  a_.mov(a_[magic.slot], a_.rax);
  magics_[magic_count_++] = magic;
}

const Emitter::Magic& Emitter::magic_of(const Amount& divisor) const {
  std::size_t i = 0;
  while (!(magics_[i].divisor == divisor)) ++i;
  return magics_[i];
}

void Emitter::keep_pointers() {
  const auto keep = [&](StackSlot& slot, std::size_t offset, std::int64_t plus) {
    slot = a_.new_slot();
    a_.mov(a_.rax, a_.qword[a_.at.frame + offset]);
    if (plus != 0) a_.add(a_.rax, static_cast<int>(plus));
    a_.mov(a_[slot], a_.rax);
  };
  if (plan_.has_index()) keep(index_, offsetof(Frame, index), 0);
  keep(tile_, offsetof(Frame, tile), 0);
  keep(table_, offsetof(Frame, table), plan_.table_base);
  if (plan_.ranks > 0) keep(ranks_, offsetof(Frame, ranks), 0);
  if (!plan_.audit.is_on) return;
  keep(report_, offsetof(Frame, report), 0);
  if (plan_.audit.counts_collisions) keep(scratch_, offsetof(Frame, scratch), 0);
}

void Emitter::load_pointers() {
  if (plan_.has_index()) a_.mov(a_.at.index, a_[index_]);
  a_.mov(a_.at.tile, a_[tile_]);
  a_.mov(a_.at.table, a_[table_]);
}

void Emitter::start_ranks() {
  ranks_left_ = a_.new_slot();
  a_.mov(a_[ranks_left_], plan_.ranks);
}

void Emitter::enter_rank() {
  a_.mov(a_.rax, a_[ranks_]);
  a_.mov(a_.rdx, a_.qword[a_.rax]);
  a_.mov(a_[table_], a_.rdx);
}

void Emitter::leave_rank(Xbyak::Label& again) {
  a_.add(a_[ranks_], 8);
  a_.mov(a_.rdx, a_[tile_]);
  a_.add_amount(a_.rdx, plan_.rank_step);
  a_.mov(a_[tile_], a_.rdx);
  a_.dec(a_[ranks_left_]);
  a_.jnz(again, Assembler::T_NEAR);
}

// The innermost loop counts in a register, the others on the stack, where they also keep where they
// stand. A level of blocks counts columns down by whole blocks.
Emitter::LevelSlots Emitter::start_level(std::size_t depth, Xbyak::Label& done) {
  const Level& here = plan_.levels[depth];
  const bool is_width = plan_.block > 0 && is_innermost(depth);
  LevelSlots slots{};
  if (!is_innermost(depth)) slots = {a_.new_slot(), a_.new_slot(), a_.new_slot(), a_.new_slot()};
  const Reg64 count = is_innermost(depth) ? a_.at.count : a_.rax;
  is_width ? a_.mov(count, a_[block_width_]) : a_.load(count, here.extent);
  if (!here.extent.is_static()) {
    a_.test(count, count);
    a_.jle(done, Assembler::T_NEAR);
  }
  if (!is_innermost(depth)) a_.mov(a_[slots.count], count);
  if (counts_blocks(depth)) block_width_ = a_.new_slot();
  return slots;
}

void Emitter::enter_level(std::size_t depth, const LevelSlots& slots) {
  if (is_innermost(depth)) return;
  if (plan_.has_index()) a_.mov(a_[slots.index], a_.at.index);
  a_.mov(a_[slots.tile], a_.at.tile);
  if (!plan_.has_index()) a_.mov(a_[slots.table], a_.at.table);
  if (!counts_blocks(depth)) return;
  a_.mov(a_.rax, a_[slots.count]);
  a_.mov(a_.edx, static_cast<int>(plan_.block));
  a_.cmp(a_.rax, a_.rdx);
  a_.cmova(a_.rax, a_.rdx);
  a_.mov(a_[block_width_], a_.rax);
}

// Leaves the flags of what is left to do.
void Emitter::step_level(std::size_t depth, const LevelSlots& slots) {
  const Level& here = plan_.levels[depth];
  if (!is_innermost(depth)) {
    if (plan_.has_index()) a_.mov(a_.at.index, a_[slots.index]);
    a_.mov(a_.at.tile, a_[slots.tile]);
    if (!plan_.has_index()) a_.mov(a_.at.table, a_[slots.table]);
  }
  if (plan_.has_index()) a_.add_amount(a_.at.index, here.index_step);
  a_.add_amount(a_.at.tile, here.tile_step);
  if (!plan_.has_index()) a_.add_amount(a_.at.table, here.table_step);
  const int down = counts_blocks(depth) ? static_cast<int>(plan_.block) : 1;
  is_innermost(depth) ? a_.sub(a_.at.count, down) : a_.sub(a_[slots.count], down);
}

Emitter::Index Emitter::load_index(const Position&) {
  if (is_group()) return {Index::In::Memory, {}, -1, 1};
  Index raw{Index::In::Register, a_.take(), -1, 1};
  if (plan_.index_size == 2) {
    a_.movzx(raw.reg.low(), a_.word[a_.at.index]);
  } else {
    a_.mov(raw.reg.low(), a_.dword[a_.at.index]);
  }
  return raw;
}

Emitter::Index Emitter::at_most_last(const Index& index, const Amount& capacity) {
  if (is_group()) return clamped_group(index);
  Index out{Index::In::Register, a_.take(), -1, 1};
  a_.mov(out.reg.reg(), index.reg.reg());
  a_.load(a_.rax, capacity);
  a_.dec(a_.rax);
  a_.cmp(out.reg.reg(), a_.rax);
  a_.cmova(out.reg.reg(), a_.rax);
  return out;
}

Emitter::Index Emitter::modulo(const Index& index, const Amount& capacity) {
  return is_group() ? wrapped_group(index, capacity) : divided(index, capacity).remainder;
}

// A group's lanes are multiplied one by one when they are taken apart.
Emitter::Index Emitter::scaled(const Index& index, const Amount& step) {
  Index out = index;
  out.step = step;
  if (is_group()) return out;
  out = {Index::In::Register, a_.take(), -1, 1};
  a_.mov(out.reg.reg(), index.reg.reg());
  multiply(out.reg.reg(), step);
  return out;
}

void Emitter::multiply(const Reg64& number, const Amount& step) {
  if (!step.is_static()) return a_.imul(number, a_[a_.slot_of(step)]);
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor == 1) return;
  if (std::has_single_bit(factor)) return a_.shl(number, std::countr_zero(factor));
  if (factor <= 0x7fffffff) return a_.imul(number, number, static_cast<int>(factor));
  a_.mov(a_.rax, factor);
  a_.imul(number, a_.rax);
}

Emitter::Parts Emitter::divided(const Index& index, const Amount& radix) {
  return radix.is_static() ? divided_by_constant(index.reg, radix.factor)
                           : divided_by_slot(index.reg, radix);
}

// Indices stay below 2^32, so floor(2^64 / d) + 1 gives exact quotients for any d that matters.
Emitter::Parts Emitter::divided_by_constant(const Loan& index, std::int64_t divisor) {
  Parts out{{Index::In::Register, a_.take(), -1, 1}, {Index::In::Register, a_.take(), -1, 1}};
  const auto d = static_cast<std::uint64_t>(divisor);
  if (d > 0xffffffff) {
    a_.xor_(out.quotient.reg.low(), out.quotient.reg.low());
    a_.mov(out.remainder.reg.reg(), index.reg());
  } else if (std::has_single_bit(d)) {
    a_.mov(out.quotient.reg.reg(), index.reg());
    if (d > 1) a_.shr(out.quotient.reg.reg(), std::countr_zero(d));
    a_.mov(out.remainder.reg.low(), index.low());
    a_.and_(out.remainder.reg.low(), static_cast<std::uint32_t>(d - 1));
  } else {
    a_.mov(a_.rax, ~std::uint64_t{0} / d + 1);
    a_.mul(index.reg());
    a_.mov(out.quotient.reg.reg(), a_.rdx);
    a_.load_constant(a_.rax, divisor);
    a_.imul(a_.rax, a_.rdx);
    a_.mov(out.remainder.reg.reg(), index.reg());
    a_.sub(out.remainder.reg.reg(), a_.rax);
  }
  return out;
}

// floor((2^64 - 1) / d) may give a quotient one too small, which the remainder shows.
Emitter::Parts Emitter::divided_by_slot(const Loan& index, const Amount& divisor) {
  const Magic& magic = magic_of(divisor);
  Parts out{{Index::In::Register, a_.take(), -1, 1}, {Index::In::Register, a_.take(), -1, 1}};
  a_.mov(a_.rax, a_[magic.slot]);
  a_.mul(index.reg());
  a_.mov(out.quotient.reg.reg(), a_.rdx);
  a_.imul(a_.rdx, a_[magic.divisor_slot]);
  a_.mov(out.remainder.reg.reg(), index.reg());
  a_.sub(out.remainder.reg.reg(), a_.rdx);
  a_.mov(a_.rax, out.remainder.reg.reg());
  a_.lea(a_.rdx, a_.ptr[out.quotient.reg.reg() + 1]);
  a_.sub(a_.rax, a_[magic.divisor_slot]);
  a_.cmovae(out.remainder.reg.reg(), a_.rax);
  a_.cmovae(out.quotient.reg.reg(), a_.rdx);
  return out;
}

Emitter::Mask Emitter::inverted(const Mask& mask) const {
  Mask out = mask;
  out.is_inverted = !mask.is_inverted;
  return out;
}

Emitter::Mask Emitter::below(const Index& index, const Amount& limit) {
  if (is_group()) return below_group(index);
  return {Mask::Kind::Below, index, limit, {}, false};
}

void Emitter::jump_if_not(const Mask& mask, int lane, Xbyak::Label& to) {
  switch (mask.kind) {
    case Mask::Kind::Always:
      if (mask.is_inverted) a_.jmp(to, Assembler::T_NEAR);
      return;
    case Mask::Kind::Below:
      a_.compare(mask.value.reg.reg(), mask.limit);
      return mask.is_inverted ? a_.jb(to, Assembler::T_NEAR) : a_.jae(to, Assembler::T_NEAR);
    case Mask::Kind::Flag:
      a_.test(mask.value.reg.low(), mask.value.reg.low());
      return mask.is_inverted ? a_.jnz(to, Assembler::T_NEAR) : a_.jz(to, Assembler::T_NEAR);
    case Mask::Kind::Lanes:
      a_.test(mask.dead.low(), 1 << lane);
      return mask.is_inverted ? a_.jz(to, Assembler::T_NEAR) : a_.jnz(to, Assembler::T_NEAR);
  }
}

// A short unit is moved where it lies; any other gets registers that may be walked.
bool Emitter::unit_is_direct() const {
  const MoveUnit& unit = plan_.unit;
  const bool is_single = unit.inner.count.is(1) && unit.outer.count.is(1);
  return is_single && is_short_run(a_, unit.run) &&
         (plan_.combine == Atomic::None || unit.run.is(plan_.element_size));
}

RegExp Emitter::table_at(const Index& far, const Loan& number) {
  if (far.in == Index::In::Walk) return RegExp(a_.at.table);
  const bool scales = far.step.is_static() &&
                      std::has_single_bit(static_cast<std::uint64_t>(far.step.factor)) &&
                      far.step.factor <= 8;
  if (scales) return a_.at.table + number.reg() * static_cast<int>(far.step.factor);
  multiply(number.reg(), far.step);
  return a_.at.table + number.reg();
}

Emitter::Place Emitter::place_of(const Index& far, const Loan& number, int lane) {
  const std::int64_t step = is_group() ? plan_.levels[plan_.level_count - 1].tile_step.factor : 0;
  Place place{table_at(far, number), a_.at.tile + static_cast<std::size_t>(step * lane), {}, {}};
  if (unit_is_direct()) return place;
  place.table_reg = a_.take();
  place.tile_reg = a_.take();
  a_.lea(place.table_reg.reg(), a_.ptr[place.table]);
  a_.lea(place.tile_reg.reg(), a_.ptr[place.tile]);
  place.table = RegExp(place.table_reg.reg());
  place.tile = RegExp(place.tile_reg.reg());
  return place;
}

// A unit's repeats walk from their own stack slots, so that bodies may spend the place's registers.
Emitter::RepeatSlots Emitter::start_repeat(const Repeat& repeat, const Place& place,
                                           Xbyak::Label& done) {
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

void Emitter::step_repeat(const Repeat& repeat, const Place& place, const RepeatSlots& slots) {
  const Reg64 table = place.table_reg.reg();
  const Reg64 tile = place.tile_reg.reg();
  a_.mov(table, a_[slots.table]);
  a_.add_amount(table, repeat.table_step);
  a_.mov(a_[slots.table], table);
  a_.mov(tile, a_[slots.tile]);
  a_.add_amount(tile, repeat.tile_step);
  a_.mov(a_[slots.tile], tile);
  a_.dec(a_[slots.count]);
}

void Emitter::copy(const Place& place, const Amount& run) {
  const bool to_table = plan_.direction == Direction::ToTable;
  if (unit_is_direct()) {
    return copy_short(a_, to_table ? place.table : place.tile, to_table ? place.tile : place.table,
                      run.factor);
  }
  const Reg64 table = place.table_reg.reg();
  const Reg64 tile = place.tile_reg.reg();
  copy_run(a_, to_table ? table : tile, to_table ? tile : table, run, plan_.element_size);
}

void Emitter::clear_tile(const Place& place, const Amount& run) {
  if (unit_is_direct()) return clear_short(a_, place.tile, run.factor);
  clear_run(a_, place.tile_reg.reg(), run, plan_.element_size);
}

void Emitter::clear_written(std::int64_t bytes) {
  const Loan to = a_.take();
  const bool to_table = plan_.direction == Direction::ToTable;
  a_.mov(to.reg(), a_[to_table ? table_ : tile_]);
  if (to_table && plan_.table_base > 0) a_.sub(to.reg(), static_cast<int>(plan_.table_base));
  clear_run(a_, to.reg(), bytes, plan_.element_size);
}

}  // namespace pto::jit::xbyak
