// Single indices resolved to slots and slots to bytes, in general registers; and what that takes:
// multiplying and dividing by amounts, whose multiplier is worked out once where they are known
// only at run time.
#pragma once

#include <array>

#include "jit/backends/xbyak/part.h"

namespace pto::jit::xbyak {

class Resolver : Part {
 public:
  explicit Resolver(const Task& task) : Part(task) {}

  // In the prologue, behind the amounts: multipliers of the divisors the plan has.
  void keep_divisors();
  // Behind them, where places in the table are known only then: how many bytes it has, and whether
  // all places are numbers of 31 bits.
  void keep_places();
  void load_table_bytes(const Xbyak::Reg64& to);
  void jump_if_places_are_far(Label& to);

  Index load(const Group& group);
  Index clamped(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  Divided divided(const Index& index, const Amount& radix);
  // floor((2^32 - 1) / divisor), into rax.
  void load_inverse(const Amount& divisor);
  void multiply(const Xbyak::Reg64& number, const Amount& step);
  // Never zero.
  void load_divisor(const Xbyak::Reg64& to, const Amount& divisor);

  // While a loop needs them again and again, a runtime distance of slots has a register, and the
  // last slot where single indices are clamped; beside the ends of own slots there is none left.
  void hold_numbers();
  void release_numbers() { pitch_ = last_ = {}; }

 private:
  struct Magic {
    Amount divisor;
    StackSlot divisor_slot;  // never zero
    StackSlot slot;          // floor((2^64 - 1) / divisor)
  };
  void keep_magic(const Amount& divisor);
  const Magic& magic_of(const Amount& divisor) const;
  void load_last(const Xbyak::Reg64& to, const Amount& capacity);
  void add_digits(const Xbyak::Reg64& bytes);
  Divided fresh();
  Divided divided_by_constant(const Loan& index, std::int64_t divisor);
  Divided divided_by_slot(const Loan& index, const Magic& magic);

  std::array<Magic, 6> magics_{};
  std::size_t magic_count_ = 0;
  StackSlot table_bytes_;
  StackSlot farthest_;  // a word only if all places are
  Loan pitch_;
  Loan last_;
};

}  // namespace pto::jit::xbyak
