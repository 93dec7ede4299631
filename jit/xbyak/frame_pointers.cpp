#include "jit/xbyak/frame_pointers.h"

#include <cstddef>

#include "ir/frame.h"

namespace pto::jit::xbyak {

void FramePointers::keep_one(StackSlot& slot, std::size_t offset) {
  slot = a_.new_slot();
  a_.mov(a_.rax, a_.qword[a_.at.frame + offset]);
  if (&slot == &table_ && plan_.table_base != 0) a_.add(a_.rax, static_cast<int>(plan_.table_base));
  a_.mov(a_[slot], a_.rax);
}

void FramePointers::keep() {
  if (plan_.has_index()) keep_one(index_, offsetof(Frame, index));
  keep_one(tile_, offsetof(Frame, tile));
  keep_one(table_, offsetof(Frame, table));
  if (plan_.ranks > 0) keep_one(ranks_, offsetof(Frame, ranks));
  if (!plan_.audit.is_on) return;
  keep_one(report_, offsetof(Frame, report));
  if (plan_.audit.counts_collisions) keep_one(scratch_, offsetof(Frame, scratch));
}

void FramePointers::load() {
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

void FramePointers::leave_rank(Xbyak::Label& again) {
  a_.add(a_[ranks_], 8);
  a_.mov(a_.rdx, a_[tile_]);
  a_.add_amount(a_.rdx, plan_.rank_step);
  a_.mov(a_[tile_], a_.rdx);
  a_.dec(a_[ranks_left_]);
  a_.jnz(again, Assembler::T_NEAR);
}

}  // namespace pto::jit::xbyak
