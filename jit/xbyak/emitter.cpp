#include "jit/xbyak/emitter.h"

#include <bit>
#include <cstddef>

#include "ir/frame.h"
#include "jit/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;

Emitter::Emitter(Assembler& a, const KernelPlan& plan)
    : a_(a), plan_(plan), elements_(a, plan.number) {}

void Emitter::begin() {
  a_.prologue();
  keep_amounts();
  keep_pointers();
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

Loan Emitter::load_index(const Position&) {
  Loan raw = a_.take();
  if (plan_.index_size == 2) {
    a_.movzx(raw.low(), a_.word[a_.at.index]);
  } else {
    a_.mov(raw.low(), a_.dword[a_.at.index]);
  }
  return raw;
}

Loan Emitter::at_most_last(const Loan& index, const Amount& capacity) {
  Loan out = a_.take();
  a_.mov(out.reg(), index.reg());
  a_.load(a_.rax, capacity);
  a_.dec(a_.rax);
  a_.cmp(out.reg(), a_.rax);
  a_.cmova(out.reg(), a_.rax);
  return out;
}

Loan Emitter::modulo(const Loan& index, const Amount& capacity) {
  return divided(index, capacity).remainder;
}

Loan Emitter::scaled(const Loan& index, const Amount& step) {
  Loan out = a_.take();
  if (!step.is_static()) {
    a_.mov(out.reg(), a_[a_.slot_of(step)]);
    a_.imul(out.reg(), index.reg());
    return out;
  }
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (std::has_single_bit(factor)) {
    a_.mov(out.reg(), index.reg());
    if (factor > 1) a_.shl(out.reg(), std::countr_zero(factor));
  } else if (factor <= 0x7fffffff) {
    a_.imul(out.reg(), index.reg(), static_cast<int>(factor));
  } else {
    a_.mov(out.reg(), factor);
    a_.imul(out.reg(), index.reg());
  }
  return out;
}

Emitter::Parts Emitter::divided(const Loan& index, const Amount& radix) {
  return radix.is_static() ? divided_by_constant(index, radix.factor)
                           : divided_by_slot(index, radix);
}

// Indices stay below 2^32, so floor(2^64 / d) + 1 gives exact quotients for any d that matters.
Emitter::Parts Emitter::divided_by_constant(const Loan& index, std::int64_t divisor) {
  Parts out{a_.take(), a_.take()};
  const auto d = static_cast<std::uint64_t>(divisor);
  if (d > 0xffffffff) {
    a_.xor_(out.quotient.low(), out.quotient.low());
    a_.mov(out.remainder.reg(), index.reg());
  } else if (std::has_single_bit(d)) {
    a_.mov(out.quotient.reg(), index.reg());
    if (d > 1) a_.shr(out.quotient.reg(), std::countr_zero(d));
    a_.mov(out.remainder.low(), index.low());
    a_.and_(out.remainder.low(), static_cast<std::uint32_t>(d - 1));
  } else {
    a_.mov(a_.rax, ~std::uint64_t{0} / d + 1);
    a_.mul(index.reg());
    a_.mov(out.quotient.reg(), a_.rdx);
    a_.load_constant(a_.rax, divisor);
    a_.imul(a_.rax, a_.rdx);
    a_.mov(out.remainder.reg(), index.reg());
    a_.sub(out.remainder.reg(), a_.rax);
  }
  return out;
}

// floor((2^64 - 1) / d) may give a quotient one too small, which the remainder shows.
Emitter::Parts Emitter::divided_by_slot(const Loan& index, const Amount& divisor) {
  const Magic& magic = magic_of(divisor);
  Parts out{a_.take(), a_.take()};
  a_.mov(a_.rax, a_[magic.slot]);
  a_.mul(index.reg());
  a_.mov(out.quotient.reg(), a_.rdx);
  a_.imul(a_.rdx, a_[magic.divisor_slot]);
  a_.mov(out.remainder.reg(), index.reg());
  a_.sub(out.remainder.reg(), a_.rdx);
  a_.mov(a_.rax, out.remainder.reg());
  a_.lea(a_.rdx, a_.ptr[out.quotient.reg() + 1]);
  a_.sub(a_.rax, a_[magic.divisor_slot]);
  a_.cmovae(out.remainder.reg(), a_.rax);
  a_.cmovae(out.quotient.reg(), a_.rdx);
  return out;
}

Emitter::Mask Emitter::inverted(const Mask& mask) const {
  Mask out = mask;
  out.is_inverted = !mask.is_inverted;
  return out;
}

void Emitter::jump_if_not(const Mask& mask, Xbyak::Label& to) {
  switch (mask.kind) {
    case Mask::Kind::Always:
      if (mask.is_inverted) a_.jmp(to, Assembler::T_NEAR);
      return;
    case Mask::Kind::Below:
      a_.compare(mask.value.reg(), mask.limit);
      return mask.is_inverted ? a_.jb(to, Assembler::T_NEAR) : a_.jae(to, Assembler::T_NEAR);
    case Mask::Kind::Flag:
      a_.test(mask.value.low(), mask.value.low());
      return mask.is_inverted ? a_.jnz(to, Assembler::T_NEAR) : a_.jz(to, Assembler::T_NEAR);
  }
}

Loan Emitter::place_table(const Loan& far) {
  Loan out = a_.take();
  if (far.is_none()) {
    a_.mov(out.reg(), a_.at.table);
  } else {
    a_.lea(out.reg(), a_.ptr[a_.at.table + far.reg()]);
  }
  return out;
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
  a_.mov(a_[slots.table], place.table);
  a_.mov(a_[slots.tile], place.tile);
  return slots;
}

void Emitter::step_repeat(const Repeat& repeat, const Place& place, const RepeatSlots& slots) {
  a_.mov(place.table, a_[slots.table]);
  a_.add_amount(place.table, repeat.table_step);
  a_.mov(a_[slots.table], place.table);
  a_.mov(place.tile, a_[slots.tile]);
  a_.add_amount(place.tile, repeat.tile_step);
  a_.mov(a_[slots.tile], place.tile);
  a_.dec(a_[slots.count]);
}

void Emitter::copy(const Place& place, const Amount& run) {
  const bool to_table = plan_.direction == Direction::ToTable;
  copy_run(a_, to_table ? place.table : place.tile, to_table ? place.tile : place.table, run,
           plan_.element_size);
}

void Emitter::clear_tile(const Place& place, const Amount& run) {
  clear_run(a_, place.tile, run, plan_.element_size);
}

void Emitter::clear_written(std::int64_t bytes) {
  const Loan to = a_.take();
  const bool to_table = plan_.direction == Direction::ToTable;
  a_.mov(to.reg(), a_[to_table ? table_ : tile_]);
  if (to_table && plan_.table_base > 0) a_.sub(to.reg(), static_cast<int>(plan_.table_base));
  clear_run(a_, to.reg(), bytes, plan_.element_size);
}

}  // namespace pto::jit::xbyak
