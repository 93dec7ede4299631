// The frame's pointers, kept on the stack where a walk begins more than once, and the loop over
// ranks that moves them.
#pragma once

#include "jit/backends/xbyak/part.h"

namespace pto::jit::xbyak {

class FramePointers : Part {
 public:
  explicit FramePointers(const Task& task) : Part(task) {}

  void keep();                                // in the prologue
  void load();                                // into the walk's registers
  void load_written(const Xbyak::Reg64& to);  // where the written side begins

  Xbyak::Address index() { return a_[index_]; }
  Xbyak::Address report() { return a_[report_]; }
  Xbyak::Address scratch() { return a_[scratch_]; }

  template <class Body>
  void each_rank(Body&& body) {
    if (plan_.ranks == 0) return body();
    Label again;
    start_ranks();
    a_.L(again);
    enter_rank();
    body();
    leave_rank(again);
  }

 private:
  bool are_read_once() const;
  void read();
  void keep_one(StackSlot& slot, std::size_t offset);
  void start_ranks();
  void enter_rank();
  void leave_rank(Label& again);

  StackSlot index_, tile_, table_, report_, scratch_;
  StackSlot ranks_, ranks_left_;
};

}  // namespace pto::jit::xbyak
