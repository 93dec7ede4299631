// The walk newest first, each slot moved once: slots are seen by a bit each, on the stack, and the
// walk ends when all of them are.
#pragma once

#include "jit/backends/llvm/emitter.h"

namespace pto::jit::llvm_backend {

class BackwardEmitter : public Emitter {
 public:
  using Emitter::Emitter;

  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);

  template <class Body>
  void positions_backward(Body&& body) {
    const Level& level = plan_.levels[0];
    const std::int64_t last = level.extent.factor - 1;
    const std::array first{f_.moved(index_, last * level.index_step),
                           f_.moved(tile_, last * level.tile_step.factor), f_.number(last)};
    f_.loop(first, [&](const std::array<Value, 3>& now) {
      body(Position{now[0], now[1], nullptr, nullptr, 1});
      const Value index = f_.moved(now[0], -level.index_step);
      const Value tile = f_.moved(now[1], -level.tile_step.factor);
      const Value more = f_.both(f_.is_nonzero(now[2]), is_any_left());
      return Turn<3>{{index, tile, f_.sub(now[2], 1)}, more};
    });
  }

 private:
  Value is_any_left();

  Room seen_;             // 64 bits a word
  Value left_ = nullptr;  // how many slots are unseen
};

}  // namespace pto::jit::llvm_backend
