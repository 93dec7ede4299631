#include "jit/backends/xbyak/levels.h"

namespace pto::jit::xbyak {

// The innermost loop counts in a register, the others on the stack, where they also keep where they
// stand. A level of blocks counts columns down by whole blocks.
Levels::LevelSlots Levels::start(std::size_t depth, Label& done) {
  const Level& here = plan_.levels[depth];
  const bool is_width = plan_.block > 0 && is_innermost(depth);
  LevelSlots slots{};
  if (!is_innermost(depth)) slots = {a_.new_slot(), a_.new_slot(), a_.new_slot(), a_.new_slot()};
  const Xbyak::Reg64 count = is_innermost(depth) ? a_.at.count : a_.rax;
  is_width ? a_.mov(count, a_[block_width_]) : a_.load(count, here.extent);
  if (!here.extent.is_static()) {
    const bool is_tested_again = is_innermost(depth) || counts_blocks(depth);
    a_.serving_if(is_tested_again && groups_.takes_groups(), Purpose::ZeroCount, [&] {
      a_.test(count, count);
      a_.jle(done, Assembler::T_NEAR);
    });
  }
  if (!is_innermost(depth)) a_.mov(a_[slots.count], count);
  if (counts_blocks(depth)) block_width_ = a_.new_slot();
  return slots;
}

void Levels::enter(std::size_t depth, const LevelSlots& slots) {
  if (is_innermost(depth)) return;
  if (plan_.has_index()) a_.mov(a_[slots.index], a_.at.index);
  a_.mov(a_[slots.tile], a_.at.tile);
  if (!plan_.has_index()) a_.mov(a_[slots.table], a_.at.table);
  if (!counts_blocks(depth)) return;
  a_.mov(a_.rax, a_[slots.count]);
  a_.serving(Purpose::BlockWidth, [&] {
    a_.mov(a_.edx, static_cast<int>(plan_.block));
    a_.cmp(a_.rax, a_.rdx);
    a_.cmova(a_.rax, a_.rdx);
  });
  a_.mov(a_[block_width_], a_.rax);
}

// Leaves the flags of what is left to do.
void Levels::step(std::size_t depth, const LevelSlots& slots) {
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

}  // namespace pto::jit::xbyak
