// Copying and clearing contiguous runs of bytes, of a length known now or only at run time. Nothing
// outside the run is read or written; pieces may overlap inside it.
#pragma once

#include "jit/llvm/function_builder.h"
#include "jit/llvm/machine.h"

namespace pto::jit::llvm_backend {

struct RunLength {
  Value bytes = nullptr;
  std::int64_t known = -1;  // when at least 0
  int granule = 1;          // divides the length
};

class Runs {
 public:
  Runs(FunctionBuilder& f, const Abilities& abilities) : f_(f), vector_(abilities.vector_bytes) {}

  void copy(Value to, Value from, const RunLength& length) { fill({to, from}, length); }
  void clear(Value to, const RunLength& length) { fill({to, nullptr}, length); }

 private:
  // Without `from`, the bytes are zero.
  struct Ends {
    Value to;
    Value from;
  };

  void fill(const Ends& ends, const RunLength& length);
  void fill_known(const Ends& ends, std::int64_t bytes);
  void fill_in_turns(const Ends& ends, std::int64_t bytes);
  void fill_pieces(const Ends& ends, std::int64_t bytes);
  void fill_runtime(const Ends& ends, const RunLength& length, int width);
  void fill_long(const Ends& ends, Value bytes);
  void fill_pair(const Ends& ends, Value bytes, int width);

  Value load(const Ends& ends, int width);
  void piece(const Ends& ends, int width) { f_.store(load(ends, width), ends.to); }
  Ends moved(const Ends& ends, Value bytes);

  FunctionBuilder& f_;
  const int vector_;
};

}  // namespace pto::jit::llvm_backend
