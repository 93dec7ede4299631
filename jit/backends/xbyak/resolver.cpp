#include "jit/backends/xbyak/resolver.h"

#include <bit>

namespace pto::jit::xbyak {

using Xbyak::Reg64;

Index Resolver::load(const Group& group) {
  const Index raw{.in = Index::In::Register, .group = group, .reg = a_.take()};
  const Xbyak::RegExp from = index_of(group);
  plan_.index_size == 2 ? a_.movzx(raw.reg.low(), a_.word[from])
                        : a_.mov(raw.reg.low(), a_.dword[from]);
  return raw;
}

// In place: nobody asks for an index again that has been clamped.
Index Resolver::clamped(const Index& index, const Amount& capacity) {
  const Reg64 last = last_.is_none() ? Reg64(a_.rdx) : last_.reg();
  if (last_.is_none()) load_last(last, capacity);
  a_.cmp(last, index.reg.reg());
  a_.cmovb(index.reg.reg(), last);
  return index;
}

void Resolver::load_last(const Reg64& to, const Amount& capacity) {
  if (capacity.is_static()) return a_.load_constant(to, capacity.factor - 1);
  a_.load(to, capacity);
  a_.dec(to);
}

// The only digit may be left to the address it becomes, or made where the index was, unless that is
// still to be compared.
Index Resolver::scaled(const Index& index, const Amount& step) {
  if (plan_.digit_count == 1 && is_scale(step))
    return {.in = Index::In::Register, .group = index.group, .reg = index.reg, .step = step};
  if (plan_.digit_count == 1 && (plan_.oob == Oob::Clamp || plan_.oob == Oob::Wrap)) {
    multiply(index.reg.reg(), step);
    return index;
  }
  const Index out{.in = Index::In::Register, .group = index.group, .reg = a_.take()};
  a_.mov(out.reg.reg(), index.reg.reg());
  multiply(out.reg.reg(), step);
  return out;
}

void Resolver::keep_divisors() {
  if (plan_.oob == Oob::Wrap) keep_magic(plan_.capacity);
  for (std::size_t i = 0; i + 1 < plan_.digit_count; ++i) keep_magic(plan_.digits[i].radix);
}

// A divisor of zero stands where no slot is live; one will do as well.
void Resolver::keep_magic(const Amount& divisor) {
  if (divisor.is_static()) return;
  const Magic magic{divisor, a_.new_slot(), a_.new_slot()};
  a_.serving(Purpose::Multiplier, [&] { a_.mov(a_.rcx, a_[a_.slot_of(divisor)]); });
  a_.serving(Purpose::ZeroDivisor, [&] { a_.mov(a_.eax, 1); });
  a_.test(a_.rcx, a_.rcx);
  a_.cmovz(a_.rcx, a_.rax);
  a_.serving(Purpose::Multiplier, [&] {
    a_.mov(a_[magic.divisor_slot], a_.rcx);
    a_.mov(a_.rax, -1);
    a_.xor_(a_.edx, a_.edx);
    a_.div(a_.rcx);
    a_.mov(a_[magic.slot], a_.rax);
  });
  magics_[magic_count_++] = magic;
}

const Resolver::Magic& Resolver::magic_of(const Amount& divisor) const {
  std::size_t i = 0;
  while (!(magics_[i].divisor == divisor)) ++i;
  return magics_[i];
}

void Resolver::load_divisor(const Reg64& to, const Amount& divisor) {
  divisor.is_static() ? a_.load_constant(to, divisor.factor)
                      : a_.mov(to, a_[magic_of(divisor).divisor_slot]);
}

void Resolver::load_inverse(const Amount& divisor) {
  if (divisor.is_static()) return a_.load_constant(a_.rax, 0xffffffff / divisor.factor);
  a_.mov(a_.rax, a_[magic_of(divisor).slot]);
  a_.shr(a_.rax, 32);
}

void Resolver::hold_numbers() {
  if (strategy_.singles && plan_.oob == Oob::Clamp && !plan_.own.is_on) {
    last_ = a_.take();
    load_last(last_.reg(), plan_.capacity);
  }
  const Amount& pitch = plan_.digits[0].step;
  if (pitch.is_static()) return;
  pitch_ = a_.take();
  a_.load(pitch_.reg(), pitch);
}

void Resolver::multiply(const Reg64& number, const Amount& step) {
  if (!step.is_static() && !pitch_.is_none() && step == plan_.digits[0].step)
    return a_.imul(number, pitch_.reg());
  if (!step.is_static()) return a_.imul(number, a_[a_.slot_of(step)]);
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor == 1) return;
  if (std::has_single_bit(factor)) return a_.shl(number, std::countr_zero(factor));
  if (factor <= 0x7fffffff) return a_.imul(number, number, static_cast<int>(factor));
  a_.mov(a_.rax, factor);
  a_.imul(number, a_.rax);
}

Divided Resolver::divided(const Index& index, const Amount& radix) {
  return radix.is_static() ? divided_by_constant(index.reg, radix.factor)
                           : divided_by_slot(index.reg, magic_of(radix));
}

Divided Resolver::fresh() {
  return {{.in = Index::In::Register, .reg = a_.take()},
          {.in = Index::In::Register, .reg = a_.take()}};
}

// Indices stay below 2^32, so floor(2^64 / d) + 1 gives exact quotients for any d that matters.
Divided Resolver::divided_by_constant(const Loan& index, std::int64_t divisor) {
  Divided out = fresh();
  const Loan& quotient = out.quotient.reg;
  const Loan& remainder = out.remainder.reg;
  const auto d = static_cast<std::uint64_t>(divisor);
  if (d > 0xffffffff) {
    a_.xor_(quotient.low(), quotient.low());
    a_.mov(remainder.reg(), index.reg());
  } else if (std::has_single_bit(d)) {
    a_.mov(quotient.reg(), index.reg());
    if (d > 1) a_.shr(quotient.reg(), std::countr_zero(d));
    a_.mov(remainder.low(), index.low());
    a_.and_(remainder.low(), static_cast<std::uint32_t>(d - 1));
  } else {
    a_.mov(a_.rax, ~std::uint64_t{0} / d + 1);
    a_.mul(index.reg());
    a_.mov(quotient.reg(), a_.rdx);
    a_.load_constant(a_.rax, divisor);
    a_.imul(a_.rax, a_.rdx);
    a_.mov(remainder.reg(), index.reg());
    a_.sub(remainder.reg(), a_.rax);
  }
  return out;
}

// floor((2^64 - 1) / d) may give a quotient one too small, which the remainder shows.
Divided Resolver::divided_by_slot(const Loan& index, const Magic& magic) {
  Divided out = fresh();
  const Reg64 quotient = out.quotient.reg.reg();
  const Reg64 remainder = out.remainder.reg.reg();
  a_.mov(a_.rax, a_[magic.slot]);
  a_.mul(index.reg());
  a_.mov(quotient, a_.rdx);
  a_.imul(a_.rdx, a_[magic.divisor_slot]);
  a_.mov(remainder, index.reg());
  a_.sub(remainder, a_.rdx);
  a_.mov(a_.rax, remainder);
  a_.lea(a_.rdx, a_.ptr[quotient + 1]);
  a_.sub(a_.rax, a_[magic.divisor_slot]);
  a_.cmovae(remainder, a_.rax);
  a_.cmovae(quotient, a_.rdx);
  return out;
}

}  // namespace pto::jit::xbyak
