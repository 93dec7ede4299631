#include "jit/backends/llvm/amounts.h"

#include <algorithm>
#include <cstddef>

#include "ir/frame.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr std::uint64_t kLargestIndex = 0xffffffff;

}  // namespace

Amounts::Amounts(FunctionBuilder& f, const KernelPlan& plan) : f_(f) {
  for_each_amount(plan, [&](const Amount& amount) { keep(amount); });
  if (plan.oob == Oob::Clamp || plan.oob == Oob::Wrap) keep_last_slot(plan.capacity);
  if (plan.oob == Oob::Wrap) keep_divisor(plan.capacity);
  for (std::size_t i = 0; i + 1 < plan.digit_count; ++i) keep_divisor(plan.digits[i].radix);
}

void Amounts::keep(const Amount& amount) {
  const auto is_same = [&](const Kept& entry) { return entry.amount == amount; };
  if (amount.is_static() || std::ranges::any_of(kept_, is_same)) return;
  Value product = f_.number(amount.factor);
  for (std::size_t i = 0; i < amount.count; ++i) {
    const auto dim = static_cast<std::size_t>(amount.dims[i]);
    const std::size_t offset = offsetof(Frame, extents) + dim * sizeof(std::int64_t);
    const Value extent =
        f_.load({Scalar::I64}, f_.moved(f_.parameter(), static_cast<std::int64_t>(offset)));
    product = i == 0 && amount.factor == 1 ? extent : f_.mul(product, extent);
  }
  kept_.push_back({amount, f_.named(product, print(amount)), nullptr, {}});
}

void Amounts::keep_last_slot(const Amount& capacity) {
  if (capacity.is_static()) return;
  const Value last = f_.sub((*this)[capacity], 1);
  const Value least = f_.least(last, f_.constant(kLargestIndex, last));
  kept(capacity).last_slot = f_.cut(least, Scalar::I32);
}

void Amounts::keep_divisor(const Amount& radix) {
  if (radix.is_static()) return;
  const Value given = (*this)[radix];
  const Value value = f_.choose(f_.is_zero(given), f_.constant(1, given), given);
  const Value multiplier = f_.quotient(f_.constant(~std::uint64_t{0}, given), value);
  kept(radix).divisor = {value, multiplier};
}

const Amounts::Kept& Amounts::kept(const Amount& amount) const {
  std::size_t at = 0;
  while (!(kept_[at].amount == amount)) ++at;
  return kept_[at];
}

Value Amounts::operator[](const Amount& amount) const {
  return amount.is_static() ? f_.number(amount.factor) : kept(amount).value;
}

Value Amounts::last_slot(const Amount& capacity) const {
  if (!capacity.is_static()) return kept(capacity).last_slot;
  const auto last = static_cast<std::uint64_t>(capacity.factor) - 1;
  return f_.cut(f_.constant(std::min(last, kLargestIndex), f_.number(0)), Scalar::I32);
}

const Divisor& Amounts::divisor(const Amount& amount) const { return kept(amount).divisor; }

}  // namespace pto::jit::llvm_backend
