#include "jit/backends/llvm/emitter_backward.h"

namespace pto::jit::llvm_backend {

void BackwardEmitter::forget_slots() {
  const std::int64_t bytes = (plan_.capacity.factor + 63) / 64 * 8;
  seen_ = f_.room(bytes);
  left_ = f_.room(8);
  f_.clear_bytes(seen_, f_.number(bytes));
  f_.store(f_.number(plan_.capacity.factor), left_);
}

Value BackwardEmitter::is_any_left() { return f_.is_nonzero(f_.load({Scalar::I64}, left_)); }

BackwardEmitter::Mask BackwardEmitter::first_seen(const Index& slot, const Mask& live) {
  const Value number = f_.extended(slot.lanes[0], Scalar::I64);
  const auto mark = [&] {
    const Value word = f_.moved(seen_, f_.shift_left(f_.shift_right(number, 6), 3));
    const Value before = f_.load({Scalar::I64}, word);
    const Value bit = f_.power_of_two(f_.both(number, 63));
    const Value is_new = f_.is_zero(f_.both(before, bit));
    f_.when(is_new, [&] {
      f_.store(f_.either(before, bit), word);
      f_.store(f_.sub(f_.load({Scalar::I64}, left_), 1), left_);
    });
    return is_new;
  };
  if (live.known) return {std::nullopt, {mark()}, false, nullptr};
  return {std::nullopt, {f_.value_when(live.lanes[0], f_.flag(false), mark)}, false, nullptr};
}

}  // namespace pto::jit::llvm_backend
