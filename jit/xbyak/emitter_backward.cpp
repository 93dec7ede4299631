// Newest first: a bit for each slot on the stack, and an end as soon as all have been seen.
#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {

namespace {

constexpr int kMostSlots = 16384;
constexpr int kBitmapBytes = kMostSlots / 8 + 8;

}  // namespace

// Whether there is anything to decide at run time: static extents were compared by the strategy.
bool Emitter::jump_if_sparse(Xbyak::Label& sparse) {
  const Amount& extent = plan_.levels[0].extent;
  if (extent.is_static() && plan_.capacity.is_static()) return false;
  a_.load(a_.rdx, plan_.capacity);
  if (!plan_.capacity.is_static()) {
    a_.cmp(a_.rdx, kMostSlots);
    a_.ja(sparse, Assembler::T_NEAR);
  }
  a_.imul(a_.rdx, a_.rdx, static_cast<int>(std::min<std::int64_t>(strategy_.backward, 1 << 20)));
  a_.load(a_.rax, extent);
  a_.imul(a_.rax, a_.rax, 100);
  a_.cmp(a_.rax, a_.rdx);
  a_.jb(sparse, Assembler::T_NEAR);
  return true;
}

void Emitter::start_backward(Xbyak::Label& done) {
  const Level& here = plan_.levels[0];
  load_pointers();
  a_.load(a_.at.count, here.extent);
  if (!here.extent.is_static()) {
    a_.test(a_.at.count, a_.at.count);
    a_.jle(done, Assembler::T_NEAR);
  }
  a_.lea(a_.rax, a_.ptr[a_.at.count - 1]);
  a_.imul(a_.rdx, a_.rax, static_cast<int>(here.index_step));
  a_.add(a_.at.index, a_.rdx);
  multiply(a_.rax, here.tile_step);
  a_.add(a_.at.tile, a_.rax);
}

void Emitter::step_backward(Xbyak::Label& again) {
  const Level& here = plan_.levels[0];
  a_.add_amount(a_.at.index, -here.index_step);
  a_.add_amount(a_.at.tile, here.tile_step * -1);
  a_.dec(a_.at.count);
  a_.jnz(again, Assembler::T_NEAR);
}

void Emitter::clear_bitmap() {
  Xbyak::Label again;
  seen_ = a_.new_area(kBitmapBytes);
  slots_left_ = a_.new_slot();
  a_.load(a_.rax, plan_.capacity);
  a_.mov(a_[slots_left_], a_.rax);
  a_.shr(a_.rax, 6);
  a_.L(again);
  a_.mov(a_.qword[a_.rsp + a_.rax * 8 + seen_.offset], 0);
  a_.dec(a_.rax);
  a_.jns(again);
}

// An index out of range that nothing checks has no bit: it goes where it says, seen or not.
Emitter::Mask Emitter::first_in_bitmap(const Index& slot, const Mask& live) {
  Xbyak::Label inside, fresh;
  jump_if_not(live, 0, *seen_before_);
  const Xbyak::Reg64 number = slot.reg.reg();
  if (plan_.oob == Oob::Undefined) {
    a_.compare(number, plan_.capacity);
    a_.jb(inside);
    a_.inc(a_[slots_left_]);
    a_.jmp(fresh);
    a_.L(inside);
  }
  a_.mov(a_.rax, number);
  a_.shr(a_.rax, 6);
  a_.mov(a_.rdx, a_.qword[a_.rsp + a_.rax * 8 + seen_.offset]);
  a_.bts(a_.rdx, number);
  a_.jc(*seen_before_, Assembler::T_NEAR);
  a_.mov(a_.qword[a_.rsp + a_.rax * 8 + seen_.offset], a_.rdx);
  a_.L(fresh);
  return always();
}

}  // namespace pto::jit::xbyak
