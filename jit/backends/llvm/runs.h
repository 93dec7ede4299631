// Copying and clearing contiguous runs of bytes, of a length known now or only at run time. Nothing
// outside the run is read or written; pieces may overlap inside it.
#pragma once

#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/machine.h"

namespace pto::jit::llvm_backend {

struct RunLength {
  Value bytes = nullptr;
  std::int64_t known = -1;  // when at least 0
  int granule = 1;          // divides the length
  int floor =
      0;  // above 0: at least so many bytes, less than twice as many unless it is the widest
};

class Runs {
 public:
  Runs(FunctionBuilder& f, const Abilities& abilities, std::int64_t halves)
      : f_(f),
        vector_(abilities.vector_bytes),
        written_out_(abilities.written_out),
        halves_(halves) {}

  void copy(Value to, Value from, const RunLength& length) { fill({to, from}, length); }
  void clear(Value to, const RunLength& length) { fill({to, nullptr}, length); }

  int widest_floor() const { return 2 * vector_; }

  // From here on, or no more, stores go around the caches: whole vectors, aligned.
  void stream(bool is_on) { streams_ = is_on; }

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
  void fill_from(const Ends& ends, Value bytes, int width);
  void fill_long(const Ends& ends, Value bytes);
  void fill_pair(const Ends& ends, Value bytes, int width);

  int widest_piece(const Ends& ends, std::int64_t bytes) const;
  Value load(const Ends& ends, int width);
  void put(Value value, Value to) {
    streams_ ? f_.store_around_caches(value, to) : f_.store(value, to);
  }
  Ends moved(const Ends& ends, Value bytes);

  FunctionBuilder& f_;
  const int vector_;
  const int written_out_;
  const std::int64_t halves_;
  bool streams_ = false;
};

}  // namespace pto::jit::llvm_backend
