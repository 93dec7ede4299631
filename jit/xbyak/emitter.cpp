#include "jit/xbyak/emitter.h"

#include <bit>
#include <cstddef>

#include "ir/frame.h"
#include "jit/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::RegExp;

namespace {

constexpr std::int64_t kWrittenOut = 16;      // repeats of a short run
constexpr std::int64_t kFarOffset = 1 << 30;  // what an address can hold

}  // namespace

Emitter::Emitter(Assembler& a, const KernelPlan& plan, const Strategy& strategy)
    : a_(a), plan_(plan), strategy_(strategy), elements_(a, plan.number) {}

void Emitter::begin() {
  a_.prologue();
  if (plan_.combine != Atomic::None) elements_.prepare();
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
  has_lanes_ = false;
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

Emitter::Index Emitter::scaled(const Index& index, const Amount& step) {
  if (is_group()) return scaled_group(index, step);
  const Index out{Index::In::Register, a_.take(), -1, 1};
  a_.mov(out.reg.reg(), index.reg.reg());
  multiply(out.reg.reg(), step);
  return out;
}

void Emitter::multiply(const Reg64& number, const Amount& step) {
  if (!step.is_static() && !pitch_.is_none() && step == plan_.digits[0].step)
    return a_.imul(number, pitch_.reg());
  if (!step.is_static()) return a_.imul(number, a_[a_.slot_of(step)]);
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor == 1) return;
  if (std::has_single_bit(factor)) return a_.shl(number, std::countr_zero(factor));
  if (factor <= 0x7fffffff) return a_.imul(number, number, static_cast<int>(factor));
  a_.mov(a_.rax, factor);
  a_.imul(number, a_.rax);
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
    case Mask::Kind::Vector:  // a batch taken apart
      a_.kmovw(a_.eax, a_.k2);
      a_.test(a_.eax, 1 << lane);
      return mask.is_inverted ? a_.jnz(to, Assembler::T_NEAR) : a_.jz(to, Assembler::T_NEAR);
    case Mask::Kind::Lanes:
      a_.test(mask.dead.low(), 1 << lane);
      return mask.is_inverted ? a_.jz(to, Assembler::T_NEAR) : a_.jnz(to, Assembler::T_NEAR);
  }
}

Emitter::Place Emitter::moved(const Place& place, std::int64_t table, std::int64_t tile) {
  Place out = place;
  out.table = out.table + static_cast<std::size_t>(table);
  out.tile = out.tile + static_cast<std::size_t>(tile);
  return out;
}

// A run that is written out where it lies, changing no register.
bool Emitter::run_is_direct() const {
  const Amount& run = plan_.unit.run;
  if (plan_.combine == Atomic::None)
    return copies_ends() || way_.kind == GroupWay::Kind::Exact || is_short_run(a_, run);
  if (run.is(plan_.element_size)) return true;
  const int wide = elements_.vector_bytes(plan_.combine);
  return run.is_static() && wide > 0 && run.factor < 5 * wide;
}

bool Emitter::is_written_out(const Repeat& repeat) const {
  return run_is_direct() && repeat.count.is_static() && repeat.count.factor <= kWrittenOut &&
         repeat.table_step.is_static() && repeat.tile_step.is_static() &&
         repeat.table_step.factor * kWrittenOut < kFarOffset &&
         repeat.tile_step.factor * kWrittenOut < kFarOffset;
}

// A short unit is moved where it lies; any other gets registers that may be walked.
bool Emitter::unit_is_direct() const {
  const MoveUnit& unit = plan_.unit;
  const auto is_direct = [&](const Repeat& repeat) {
    return repeat.count.is(1) || is_written_out(repeat);
  };
  return run_is_direct() && is_direct(unit.inner) && is_direct(unit.outer);
}

// Pieces from the end of a run need the second register of an address for themselves.
RegExp Emitter::table_at(const Index& far, const Loan& number) {
  if (far.in == Index::In::Walk) return RegExp(a_.at.table);
  const bool scales = far.step.is_static() &&
                      std::has_single_bit(static_cast<std::uint64_t>(far.step.factor)) &&
                      far.step.factor <= 8;
  if (scales && !copies_ends())
    return a_.at.table + number.reg() * static_cast<int>(far.step.factor);
  multiply(number.reg(), far.step);
  if (!copies_ends()) return a_.at.table + number.reg();
  a_.add(number.reg(), a_.at.table);
  return RegExp(number.reg());
}

Emitter::Place Emitter::place_of(const Index& far, const Loan& number, int lane) {
  const std::int64_t step = is_group() ? plan_.levels[plan_.level_count - 1].tile_step.factor : 0;
  Place place{table_at(far, number), tile_here() + static_cast<std::size_t>(step * lane), {}, {}};
  if (unit_is_direct()) return place;
  place.table_reg = a_.take();
  place.tile_reg = a_.take();
  a_.lea(place.table_reg.reg(), a_.ptr[place.table]);
  a_.lea(place.tile_reg.reg(), a_.ptr[place.tile]);
  place.table = RegExp(place.table_reg.reg());
  place.tile = RegExp(place.tile_reg.reg());
  return place;
}

void Emitter::step_inner(const Place& place, int times) {
  const Repeat& inner = plan_.unit.inner;
  for (int i = 0; i < (inner.table_step.is_static() ? 1 : times); ++i)
    a_.add_amount(place.table_reg.reg(),
                  inner.table_step.is_static() ? inner.table_step * times : inner.table_step);
  for (int i = 0; i < (inner.tile_step.is_static() ? 1 : times); ++i)
    a_.add_amount(place.tile_reg.reg(),
                  inner.tile_step.is_static() ? inner.tile_step * times : inner.tile_step);
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

void Emitter::clear_written(std::int64_t bytes) {
  if (spreads_everything()) return;
  const Loan to = a_.take();
  const bool to_table = plan_.direction == Direction::ToTable;
  a_.mov(to.reg(), a_[to_table ? table_ : tile_]);
  if (to_table && plan_.table_base > 0) a_.sub(to.reg(), static_cast<int>(plan_.table_base));
  clear_run(a_, to.reg(), bytes, plan_.element_size);
}

}  // namespace pto::jit::xbyak
