// Reading, combining and writing table and tile elements: one, or a vector of neighbours. 16-bit
// floats are held as f32.
#pragma once

#include "ir/dtype.h"
#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/machine.h"

namespace pto::jit::llvm_backend {

class Elements {
 public:
  // `number` as in a plan.
  Elements(FunctionBuilder& f, DType number, const Abilities& abilities)
      : f_(f), number_(number), abilities_(abilities) {}

  // How many neighbours one vector holds.
  int vector_lanes() const;

  Value load(Value from, int lanes);
  void store(Value value, Value to) { f_.store(bits(value), to); }
  // Between what memory holds and what is computed in.
  Value number(Value bits);
  Value bits(Value number);
  Value sum(Value a, Value b);
  Value pick_if_less(Value a, Value b, Value yes, Value no);

 private:
  Value widen_f16(Value bits);
  Value narrow_f16(Value single);
  Value widen_bf16(Value bits);
  Value narrow_bf16(Value single);

  FunctionBuilder& f_;
  const DType number_;
  const Abilities abilities_;
};

// The integer type of an element's size.
Scalar bits_of_size(int bytes);

}  // namespace pto::jit::llvm_backend
