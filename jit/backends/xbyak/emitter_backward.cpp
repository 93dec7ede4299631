#include "jit/backends/xbyak/emitter_backward.h"

#include <algorithm>

namespace pto::jit::xbyak {
namespace {

constexpr int kMostSlots = 16384;

}  // namespace

// Static extents were compared by the strategy.
bool BackwardEmitter::is_crowded() const {
  return plan_.levels[0].extent.is_static() && plan_.capacity.is_static();
}

void BackwardEmitter::jump_if_sparse(Label& sparse) {
  constexpr std::int64_t kMost = 1 << 20;
  a_.load(a_.rdx, plan_.capacity);
  if (!plan_.capacity.is_static()) {
    a_.cmp(a_.rdx, kMostSlots);
    a_.ja(sparse, Assembler::T_NEAR);
  }
  a_.imul(a_.rdx, a_.rdx, static_cast<int>(std::min(strategy_.backward, kMost)));
  a_.load(a_.rax, plan_.levels[0].extent);
  a_.imul(a_.rax, a_.rax, 100);
  a_.cmp(a_.rax, a_.rdx);
  a_.jb(sparse, Assembler::T_NEAR);
}

void BackwardEmitter::start(Label& done) {
  const Level& here = plan_.levels[0];
  parts_.pointers.load();
  a_.load(a_.at.count, here.extent);
  if (!here.extent.is_static()) {
    a_.test(a_.at.count, a_.at.count);
    a_.serving(Purpose::NoIndices, [&] { a_.jle(done, Assembler::T_NEAR); });
  }
  a_.lea(a_.rax, a_.ptr[a_.at.count - 1]);
  a_.imul(a_.rdx, a_.rax, static_cast<int>(here.index_step));
  a_.add(a_.at.index, a_.rdx);
  parts_.resolver.multiply(a_.rax, here.tile_step);
  a_.add(a_.at.tile, a_.rax);
}

void BackwardEmitter::step(Label& again) {
  const Level& here = plan_.levels[0];
  a_.add_amount(a_.at.index, -here.index_step);
  a_.add_amount(a_.at.tile, here.tile_step * -1);
  a_.dec(a_.at.count);
  a_.jnz(again, Assembler::T_NEAR);
}

void BackwardEmitter::forget_slots() {
  const Verb verb(a_);
  Label again;
  seen_ = a_.new_area(kMostSlots / 8 + 8);
  slots_left_ = a_.new_slot();
  a_.serving(Purpose::EarlyEnd, [&] {
    a_.load(a_.rax, plan_.capacity);
    a_.mov(a_[slots_left_], a_.rax);
  });
  a_.serving(Purpose::SeenWords, [&] { a_.shr(a_.rax, 6); });
  a_.L(again);
  a_.mov(word_in_rax(), 0);
  a_.dec(a_.rax);
  a_.serving(Purpose::SeenWord, [&] { a_.jns(again); });
}

// Of a capacity known only at run time, jump_if_sparse has kept more slots away.
Xbyak::Address BackwardEmitter::word_in_rax() {
  const std::int64_t slots = plan_.capacity.is_static() ? plan_.capacity.factor : kMostSlots;
  return a_.qword[a_.rsp + a_.rax * 8 + seen_.within(0, slots / 64 * 8 + 8)];
}

// An index out of range that nothing checks has no bit: it goes where it says, seen or not.
Mask BackwardEmitter::first_seen(const Index& slot, const Mask& live) {
  const Verb verb(a_);
  Label inside, fresh;
  jump_if_not(a_, live, 0, *next_);
  const Xbyak::Reg64 number = slot.reg.reg();
  if (plan_.oob == Oob::Undefined) {
    a_.compare(number, plan_.capacity);
    a_.jb(inside);
    a_.serving(Purpose::Unchecked, [&] {
      a_.inc(a_[slots_left_]);
      a_.jmp(fresh);
    });
    a_.L(inside);
  }
  a_.serving(Purpose::SeenWord, [&] { a_.mov(a_.rax, number); });
  a_.shr(a_.rax, 6);
  a_.serving(Purpose::SeenWord, [&] { a_.mov(a_.rdx, word_in_rax()); });
  a_.bts(a_.rdx, number);
  a_.jc(*next_, Assembler::T_NEAR);
  a_.mov(word_in_rax(), a_.rdx);
  a_.L(fresh);
  return always();
}

void BackwardEmitter::end_if_all_seen(Label& done) {
  a_.serving(Purpose::EarlyEnd, [&] {
    a_.dec(a_[slots_left_]);
    a_.jz(done, Assembler::T_NEAR);
  });
}

}  // namespace pto::jit::xbyak
