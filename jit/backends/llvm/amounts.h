// The amounts of a plan as values: constants, or products of what the frame holds, worked out once
// at the kernel's start together with what dividing by them takes.
#pragma once

#include <utility>
#include <vector>

#include "ir/plan.h"
#include "jit/backends/llvm/function_builder.h"

namespace pto::jit::llvm_backend {

// A divisor known at run time. A zero, with which no slot is live, has become a one.
struct Divisor {
  Value value = nullptr;
  Value multiplier = nullptr;  // floor((2^64 - 1) / value)
};

class Amounts {
 public:
  Amounts(FunctionBuilder& f, const KernelPlan& plan);

  // 64 bits.
  Value operator[](const Amount& amount) const;

  // The greatest slot of a capacity, or the greatest 32-bit number where that is less.
  Value last_slot(const Amount& capacity) const;

  const Divisor& divisor(const Amount& amount) const;

  // Does `body` with the amount's value when that is above zero.
  template <class Body>
  void when_positive(const Amount& amount, Body&& body) const {
    if (amount.is_static() && amount.factor <= 0) return;
    const Value count = (*this)[amount];
    if (amount.is_static()) return body(count);
    f_.when(f_.is_less_signed(f_.number(0), count), [&] { body(count); });
  }

 private:
  struct Kept {
    Amount amount;
    Value value = nullptr;
    Value last_slot = nullptr;
    Divisor divisor;
  };

  void keep(const Amount& amount);
  void keep_last_slot(const Amount& capacity);
  void keep_divisor(const Amount& radix);
  const Kept& kept(const Amount& amount) const;
  Kept& kept(const Amount& amount) { return const_cast<Kept&>(std::as_const(*this).kept(amount)); }

  FunctionBuilder& f_;
  std::vector<Kept> kept_;
};

}  // namespace pto::jit::llvm_backend
