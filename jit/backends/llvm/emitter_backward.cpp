#include "jit/backends/llvm/emitter_backward.h"

#include <algorithm>

namespace pto::jit::llvm_backend {

void BackwardEmitter::forget_slots() {
  const std::int64_t bytes = (std::max<std::int64_t>(plan_.capacity.factor, 1) + 63) / 64 * 8;
  seen_ = f_.room(bytes);
  left_ = f_.room(8).start;
  f_.clear_bytes(seen_.start, f_.number(bytes));
  f_.store(f_.number(plan_.capacity.factor), left_);
}

Value BackwardEmitter::is_any_left() { return f_.is_nonzero(f_.load({Scalar::I64}, left_)); }

// An index out of range that nothing checks has no bit: it goes where it says, seen or not.
BackwardEmitter::Mask BackwardEmitter::first_seen(const Index& slot, const Mask& live) {
  const Value number = f_.extended(slot.lanes[0], Scalar::I64);
  const auto mark = [&] {
    const Value byte = f_.shift_left(f_.shift_right(number, 6), 3);
    seen_.within((plan_.capacity.factor - 1) / 64 * 8, 8);  // the last slot's
    const Value word = f_.moved(seen_.start, byte);
    const Value before = f_.load({Scalar::I64}, word);
    const Value bit = f_.power_of_two(f_.both(number, 63));
    const Value is_new = f_.is_zero(f_.both(before, bit));
    f_.when(is_new, [&] {
      f_.store(f_.either(before, bit), word);
      f_.store(f_.sub(f_.load({Scalar::I64}, left_), 1), left_);
    });
    return is_new;
  };
  const bool is_unchecked = plan_.oob == Oob::Undefined;
  if (live.known && !is_unchecked) return {std::nullopt, {mark()}, false, nullptr};
  const Value has_bit =
      is_unchecked ? f_.is_below(number, amounts_[plan_.capacity]) : live.lanes[0];
  return {std::nullopt, {f_.value_when(has_bit, f_.flag(is_unchecked), mark)}, false, nullptr};
}

}  // namespace pto::jit::llvm_backend
