// The emitter of an audit: a pass over the indices alone that counts those out of range, and slots
// written twice. Seen slots are in a hash table in the frame's scratch memory: an entry is a slot
// plus one; zero is empty.
#pragma once

#include "jit/backends/xbyak/emitter.h"

namespace pto::jit::xbyak {

class AuditEmitter : public Emitter {
 public:
  using Emitter::Emitter;

  void reset_report();
  template <class Body>
  void audit_positions(Body&& body) {
    const Verb verb(a_);
    Label rows, cols, next_row, done;
    start(done);
    a_.L(rows);
    start_row(next_row);
    a_.L(cols);
    body(Position{});
    step(cols);
    a_.L(next_row);
    step_row(rows);
    a_.L(done);
  }
  void count_outside(const Position& at, const Mask& outside);
  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);
  void count_repeated(const Position& at, const Mask& live, const Mask& first);

 private:
  void start(Label& done);
  void start_row(Label& next_row);
  void leave_if_none(const Amount& amount, const Xbyak::Reg64& count, Label& to);
  void step(Label& cols);
  void step_row(Label& rows);
  void load_whether(const Mask& mask);
  void count(std::size_t count_field, std::size_t first_field);

  StackSlot position_, rows_left_, row_at_;
};

}  // namespace pto::jit::xbyak
