// Scratch slots: memory on the stack where the units of indices out of range are written to or read
// from, so that there is no branch to guess. Lanes that combine have a slot each, or they would
// wait for each other.
#pragma once

#include <cstdint>

#include "ir/plan.h"
#include "jit/backends/llvm/choices.h"
#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/runs.h"

namespace pto::jit::llvm_backend {

class ScratchSlots {
 public:
  ScratchSlots(FunctionBuilder& f, const KernelPlan& plan, const Choices& choices);

  // Whether a unit of so many bytes fits into a slot.
  bool hold(std::int64_t unit) const { return most_ > 0 && unit <= most_; }

  // At the kernel's start. What is read is zero.
  void reserve(Runs& runs);
  // Where they lie, seen from the table.
  void find(Value table);

  // A lane's slot as a number that counts `scale` bytes from the table, for a unit of at most so
  // many bytes.
  struct Use {
    std::size_t lane = 0;
    std::int64_t scale = 1;
    std::int64_t unit = 0;
  };
  Value of(const Use& use);
  // Bytes that a number counts before it is an address.
  std::int64_t scale() const;

 private:
  bool are_read() const {
    return plan_.direction == Direction::ToTile || plan_.combine != Atomic::None;
  }
  bool are_shared() const { return plan_.combine == Atomic::None; }
  std::int64_t grain() const { return are_read() ? 1 : kLine; }
  // How far behind the room's start the first slot may begin.
  std::int64_t slack() const { return grain() - 1 + scale() - 1; }

  FunctionBuilder& f_;
  const KernelPlan& plan_;
  const std::int64_t most_;   // bytes of a unit
  const std::int64_t bytes_;  // of a slot
  const int slots_;
  Room room_;
  Value first_ = nullptr;  // the first slot, in steps of the scale
};

}  // namespace pto::jit::llvm_backend
