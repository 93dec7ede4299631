// The audit pass: indices out of range, and slots written twice, remembered in a hash table in the
// frame's scratch memory. An entry is a slot plus one; zero is empty.
#include <cstddef>

#include "ir/frame.h"
#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;

void Emitter::reset_report() {
  const AuditReport fresh;
  a_.mov(a_.rax, a_[report_]);
  a_.mov(a_.qword[a_.rax + offsetof(AuditReport, out_of_bounds)],
         static_cast<int>(fresh.out_of_bounds));
  a_.mov(a_.qword[a_.rax + offsetof(AuditReport, first_out_of_bounds)],
         static_cast<int>(fresh.first_out_of_bounds));
  a_.mov(a_.qword[a_.rax + offsetof(AuditReport, collisions)], static_cast<int>(fresh.collisions));
  a_.mov(a_.qword[a_.rax + offsetof(AuditReport, first_collision)],
         static_cast<int>(fresh.first_collision));
}

void Emitter::start_audit(Xbyak::Label& done) {
  position_ = a_.new_slot();
  rows_left_ = a_.new_slot();
  row_at_ = a_.new_slot();
  a_.mov(a_[position_], 0);
  a_.mov(a_.rax, a_[index_]);
  a_.mov(a_[row_at_], a_.rax);
  a_.load(a_.rax, plan_.audit.rows);
  a_.mov(a_[rows_left_], a_.rax);
  a_.test(a_.rax, a_.rax);
  a_.jle(done, Assembler::T_NEAR);
}

void Emitter::start_audit_row(Xbyak::Label& next_row) {
  a_.mov(a_.at.index, a_[row_at_]);
  a_.load(a_.at.count, plan_.audit.cols);
  a_.test(a_.at.count, a_.at.count);
  a_.jle(next_row, Assembler::T_NEAR);
}

void Emitter::step_audit(Xbyak::Label& cols) {
  a_.add_amount(a_.at.index, plan_.audit.col_step);
  a_.inc(a_[position_]);
  a_.dec(a_.at.count);
  a_.jnz(cols, Assembler::T_NEAR);
}

void Emitter::step_audit_row(Xbyak::Label& rows) {
  a_.mov(a_.rdx, a_[row_at_]);
  a_.add_amount(a_.rdx, plan_.audit.row_step);
  a_.mov(a_[row_at_], a_.rdx);
  a_.dec(a_[rows_left_]);
  a_.jnz(rows, Assembler::T_NEAR);
}

// One more finding at the current position; the first one is noted.
void Emitter::count(std::size_t count_field, std::size_t first_field) {
  Xbyak::Label later;
  a_.mov(a_.rax, a_[report_]);
  a_.inc(a_.qword[a_.rax + count_field]);
  a_.cmp(a_.qword[a_.rax + count_field], 1);
  a_.jne(later);
  a_.mov(a_.rdx, a_[position_]);
  a_.mov(a_.qword[a_.rax + first_field], a_.rdx);
  a_.L(later);
}

void Emitter::count_outside(const Position&, const Mask& outside) {
  Xbyak::Label inside;
  jump_if_not(outside, 0, inside);
  count(offsetof(AuditReport, out_of_bounds), offsetof(AuditReport, first_out_of_bounds));
  a_.L(inside);
}

void Emitter::count_repeated(const Position&, const Mask& live, const Mask& first) {
  Xbyak::Label unique;
  jump_if_not(live, 0, unique);
  jump_if_not(inverted(first), 0, unique);
  count(offsetof(AuditReport, collisions), offsetof(AuditReport, first_collision));
  a_.L(unique);
}

// As scratch_bytes in ir/storage.h has it: the number of entries less one, then the entries.
void Emitter::forget_slots() {
  if (is_backward_) return clear_bitmap();
  Xbyak::Label again;
  const Loan at = a_.take();
  a_.load(a_.rax, plan_.audit.rows);
  a_.load(a_.rdx, plan_.audit.cols);
  a_.imul(a_.rax, a_.rdx);
  a_.lea(a_.rax, a_.ptr[a_.rax * 2 + 1]);
  a_.bsr(a_.rax, a_.rax);
  a_.xor_(a_.edx, a_.edx);
  a_.bts(a_.rdx, a_.rax);
  a_.lea(a_.rax, a_.ptr[a_.rdx + a_.rdx]);  // entries: a power of two above twice the indices
  a_.mov(at.reg(), a_[scratch_]);
  a_.lea(a_.rdx, a_.ptr[a_.rax - 1]);
  a_.mov(a_.qword[at.reg()], a_.rdx);
  a_.L(again);
  a_.mov(a_.qword[at.reg() + a_.rax * 8], 0);
  a_.dec(a_.rax);
  a_.jnz(again);
}

Emitter::Mask Emitter::first_seen(const Index& number, const Mask& live) {
  if (is_backward_) return first_in_bitmap(number, live);
  Xbyak::Label probe, found, fresh, done;
  const Loan& slot = number.reg;
  const Loan flag = a_.take();
  const Loan table = a_.take();
  a_.xor_(flag.low(), flag.low());
  jump_if_not(live, 0, done);
  a_.mov(table.reg(), a_[scratch_]);
  a_.mov(a_.eax, 0x9e3779b1);
  a_.imul(a_.rax, slot.reg());
  a_.L(probe);
  a_.and_(a_.rax, a_.qword[table.reg()]);
  a_.mov(a_.rdx, a_.qword[table.reg() + a_.rax * 8 + 8]);
  a_.test(a_.rdx, a_.rdx);
  a_.jz(fresh);
  a_.dec(a_.rdx);
  a_.cmp(a_.rdx, slot.reg());
  a_.je(done);
  a_.inc(a_.rax);
  a_.jmp(probe);
  a_.L(fresh);
  a_.lea(a_.rdx, a_.ptr[slot.reg() + 1]);
  a_.mov(a_.qword[table.reg() + a_.rax * 8 + 8], a_.rdx);
  a_.mov(flag.low(), 1);
  a_.L(done);
  return {Mask::Kind::Flag, {Index::In::Register, flag, -1, 1}, {}, {}, false};
}

}  // namespace pto::jit::xbyak
