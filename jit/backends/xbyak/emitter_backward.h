// The emitter of a walk that goes newest first: each slot is moved once, and the walk ends as soon
// as all have been seen. Seen slots have a bit each, on the stack.
#pragma once

#include "jit/backends/xbyak/emitter.h"

namespace pto::jit::xbyak {

class BackwardEmitter : public Emitter {
 public:
  using Emitter::Emitter;

  // Does one of two walks: the first where indices outnumber the slots as the strategy says.
  template <class Backward, class Forward>
  void when_crowded(Backward&& backward, Forward&& forward) {
    const Verb verb(a_);
    if (is_crowded()) return backward();
    Label sparse, done;
    a_.serving(Purpose::Order, [&] { jump_if_sparse(sparse); });
    backward();
    a_.serving(Purpose::Order, [&] { a_.jmp(done, Assembler::T_NEAR); });
    a_.L(sparse);
    a_.serving(Purpose::OldestLast, forward);
    a_.L(done);
  }

  template <class Body>
  void positions_backward(Body&& body) {
    const Verb verb(a_);
    Label again, next, done;
    start(done);
    a_.L(again);
    next_ = &next;
    a_.serving(Purpose::Backward, [&] { body(Position{}); });
    end_if_all_seen(done);
    a_.L(next);
    step(again);
    a_.L(done);
  }

  void forget_slots();
  // Slots seen before, and indices without a slot, go on to the next position from here.
  Mask first_seen(const Index& slot, const Mask& live);

 private:
  bool is_crowded() const;
  void jump_if_sparse(Label& sparse);
  void start(Label& done);
  void step(Label& again);
  void end_if_all_seen(Label& done);
  Xbyak::Address word_in_rax();

  StackSlot seen_, slots_left_;
  Label* next_ = nullptr;  // of the position being written
};

}  // namespace pto::jit::xbyak
