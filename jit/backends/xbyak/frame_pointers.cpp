#include "jit/backends/xbyak/frame_pointers.h"

#include <cstddef>

#include "ir/frame.h"

namespace pto::jit::xbyak {

void FramePointers::keep_one(StackSlot& slot, std::size_t offset) {
  slot = a_.new_slot();
  a_.mov(a_.rax, a_.qword[a_.at.frame + offset]);
  if (&slot == &table_ && plan_.table_base != 0) a_.add(a_.rax, static_cast<int>(plan_.table_base));
  a_.mov(a_[slot], a_.rax);
}

// A walk that is done once needs no copy of where it begins.
bool FramePointers::are_read_once() const {
  return plan_.ranks == 0 && !plan_.audit.is_on && strategy_.backward == 0;
}

void FramePointers::keep() {
  if (are_read_once()) return read();
  if (plan_.has_index()) keep_one(index_, offsetof(Frame, index));
  keep_one(tile_, offsetof(Frame, tile));
  keep_one(table_, offsetof(Frame, table));
  if (plan_.ranks > 0) keep_one(ranks_, offsetof(Frame, ranks));
  if (!plan_.audit.is_on) return;
  keep_one(report_, offsetof(Frame, report));
  if (plan_.audit.counts_collisions) keep_one(scratch_, offsetof(Frame, scratch));
}

void FramePointers::read() {
  if (plan_.has_index()) a_.mov(a_.at.index, a_.qword[a_.at.frame + offsetof(Frame, index)]);
  a_.mov(a_.at.tile, a_.qword[a_.at.frame + offsetof(Frame, tile)]);
  a_.mov(a_.at.table, a_.qword[a_.at.frame + offsetof(Frame, table)]);
  a_.add_amount(a_.at.table, plan_.table_base);
}

void FramePointers::load_written(const Xbyak::Reg64& to) {
  const bool to_table = plan_.direction == Direction::ToTable;
  are_read_once() ? a_.mov(to, to_table ? a_.at.table : a_.at.tile)
                  : a_.mov(to, a_[to_table ? table_ : tile_]);
}

void FramePointers::load() {
  if (are_read_once()) return;
  if (plan_.has_index()) a_.mov(a_.at.index, a_[index_]);
  a_.mov(a_.at.tile, a_[tile_]);
  a_.mov(a_.at.table, a_[table_]);
}

void FramePointers::start_ranks() {
  ranks_left_ = a_.new_slot();
  a_.mov(a_[ranks_left_], plan_.ranks);
}

void FramePointers::enter_rank() {
  a_.mov(a_.rax, a_[ranks_]);
  a_.mov(a_.rdx, a_.qword[a_.rax]);
  a_.mov(a_[table_], a_.rdx);
}

void FramePointers::leave_rank(Label& again) {
  a_.add(a_[ranks_], 8);
  a_.mov(a_.rdx, a_[tile_]);
  a_.add_amount(a_.rdx, plan_.rank_step);
  a_.mov(a_[tile_], a_.rdx);
  a_.dec(a_[ranks_left_]);
  a_.jnz(again, Assembler::T_NEAR);
}

}  // namespace pto::jit::xbyak
