#include "jit/backends/xbyak/emitter_audit.h"

#include <cstddef>

#include "ir/frame.h"

namespace pto::jit::xbyak {

void AuditEmitter::reset_report() {
  const Verb verb(a_);
  const AuditReport fresh;
  const auto set = [&](std::size_t field, std::int64_t value) {
    a_.mov(a_.qword[a_.rax + field], static_cast<int>(value));
  };
  a_.mov(a_.rax, parts_.pointers.report());
  set(offsetof(AuditReport, out_of_bounds), fresh.out_of_bounds);
  set(offsetof(AuditReport, first_out_of_bounds), fresh.first_out_of_bounds);
  set(offsetof(AuditReport, collisions), fresh.collisions);
  set(offsetof(AuditReport, first_collision), fresh.first_collision);
}

void AuditEmitter::start(Label& done) {
  position_ = a_.new_slot();
  rows_left_ = a_.new_slot();
  row_at_ = a_.new_slot();
  a_.mov(a_[position_], 0);
  a_.mov(a_.rax, parts_.pointers.index());
  a_.mov(a_[row_at_], a_.rax);
  a_.load(a_.rax, plan_.audit.rows);
  a_.mov(a_[rows_left_], a_.rax);
  leave_if_none(plan_.audit.rows, a_.rax, done);
}

void AuditEmitter::start_row(Label& next_row) {
  a_.mov(a_.at.index, a_[row_at_]);
  a_.load(a_.at.count, plan_.audit.cols);
  leave_if_none(plan_.audit.cols, a_.at.count, next_row);
}

void AuditEmitter::leave_if_none(const Amount& amount, const Xbyak::Reg64& count, Label& to) {
  a_.serving_if(amount.is_static(), Purpose::KnownCount, [&] {
    a_.test(count, count);
    a_.jle(to, Assembler::T_NEAR);
  });
}

void AuditEmitter::step(Label& cols) {
  a_.add_amount(a_.at.index, plan_.audit.col_step);
  a_.inc(a_[position_]);
  a_.dec(a_.at.count);
  a_.jnz(cols, Assembler::T_NEAR);
}

void AuditEmitter::step_row(Label& rows) {
  a_.mov(a_.rdx, a_[row_at_]);
  a_.add_amount(a_.rdx, plan_.audit.row_step);
  a_.mov(a_[row_at_], a_.rdx);
  a_.dec(a_[rows_left_]);
  a_.jnz(rows, Assembler::T_NEAR);
}

// rdx: whether there is a finding at the current position, 0 or 1. The first one is noted: the only
// branch, and none that depends on where findings are.
void AuditEmitter::count(std::size_t count_field, std::size_t first_field) {
  Label later;
  const Loan position = a_.take();
  a_.mov(a_.rax, parts_.pointers.report());
  a_.cmp(a_.rdx, a_.qword[a_.rax + count_field]);
  a_.jbe(later);
  a_.mov(position.reg(), a_[position_]);
  a_.mov(a_.qword[a_.rax + first_field], position.reg());
  a_.L(later);
  a_.add(a_.qword[a_.rax + count_field], a_.rdx);
}

// All ones in rdx, or nothing.
void AuditEmitter::load_whether(const Mask& mask) {
  const bool counts = carry_if_counts(a_, mask, 0);
  a_.sbb(a_.edx, a_.edx);
  if (!counts) a_.not_(a_.edx);
}

void AuditEmitter::count_outside(const Position&, const Mask& outside) {
  const Verb verb(a_);
  load_whether(outside);
  a_.and_(a_.edx, 1);
  count(offsetof(AuditReport, out_of_bounds), offsetof(AuditReport, first_out_of_bounds));
}

void AuditEmitter::count_repeated(const Position&, const Mask& live, const Mask& first) {
  const Verb verb(a_);
  load_whether(live);
  a_.xor_(first.value.reg.low(), 1);
  a_.and_(a_.edx, first.value.reg.low());
  count(offsetof(AuditReport, collisions), offsetof(AuditReport, first_collision));
}

// As scratch_bytes in ir/storage.h has it: the number of entries less one, then the entries.
void AuditEmitter::forget_slots() {
  const Verb verb(a_);
  Label again;
  const Loan at = a_.take();
  a_.load(a_.rax, plan_.audit.rows);
  a_.load(a_.rdx, plan_.audit.cols);
  a_.imul(a_.rax, a_.rdx);
  a_.serving(Purpose::Hash, [&] { a_.lea(a_.rax, a_.ptr[a_.rax * 2 + 1]); });
  a_.bsr(a_.rax, a_.rax);
  a_.xor_(a_.edx, a_.edx);
  a_.bts(a_.rdx, a_.rax);
  a_.lea(a_.rax, a_.ptr[a_.rdx + a_.rdx]);  // entries: a power of two above twice the indices
  a_.mov(at.reg(), parts_.pointers.scratch());
  a_.lea(a_.rdx, a_.ptr[a_.rax - 1]);
  a_.mov(a_.qword[at.reg()], a_.rdx);
  a_.L(again);
  a_.mov(a_.qword[at.reg() + a_.rax * 8], 0);
  a_.dec(a_.rax);
  a_.jnz(again);
}

// An index without a slot is remembered like the others, and not counted.
Mask AuditEmitter::first_seen(const Index& number, const Mask&) {
  const Verb verb(a_);
  Label probe, fresh, done;
  const Xbyak::Reg64 slot = number.reg.reg();
  const Loan flag = a_.take();
  const Loan table = a_.take();
  const Xbyak::Address entry = a_.qword[table.reg() + a_.rax * 8 + 8];
  a_.xor_(flag.low(), flag.low());
  a_.mov(table.reg(), parts_.pointers.scratch());
  a_.serving(Purpose::Hash, [&] {
    a_.mov(a_.eax, 0x9e3779b1);
    a_.imul(a_.rax, slot);
  });
  a_.L(probe);
  a_.and_(a_.rax, a_.qword[table.reg()]);
  a_.mov(a_.rdx, entry);
  a_.test(a_.rdx, a_.rdx);
  a_.jz(fresh);
  a_.dec(a_.rdx);
  a_.cmp(a_.rdx, slot);
  a_.je(done);
  a_.serving(Purpose::NextEntry, [&] {
    a_.inc(a_.rax);
    a_.jmp(probe);
  });
  a_.L(fresh);
  a_.lea(a_.rdx, a_.ptr[slot + 1]);
  a_.mov(entry, a_.rdx);
  a_.mov(flag.low(), 1);
  a_.L(done);
  return {.kind = Mask::Kind::Flag, .value = {.in = Index::In::Register, .reg = flag}};
}

}  // namespace pto::jit::xbyak
