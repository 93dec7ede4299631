// Dividing single indices: by constants, and by runtime divisors whose multiplier is worked out
// once.
#include <bit>

#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {

// The multiplier of a runtime divisor, worked out once. A divisor of zero stands where no slot is
// live; one will do as well.
void Emitter::keep_magic(const Amount& divisor) {
  if (divisor.is_static()) return;
  const Magic magic{divisor, a_.new_slot(), a_.new_slot()};
  a_.mov(a_.rcx, a_[a_.slot_of(divisor)]);
  a_.mov(a_.eax, 1);
  a_.test(a_.rcx, a_.rcx);
  a_.cmovz(a_.rcx, a_.rax);
  a_.mov(a_[magic.divisor_slot], a_.rcx);
  a_.mov(a_.rax, -1);
  a_.xor_(a_.edx, a_.edx);
  a_.div(a_.rcx);
  a_.mov(a_[magic.slot], a_.rax);
  magics_[magic_count_++] = magic;
}

const Emitter::Magic& Emitter::magic_of(const Amount& divisor) const {
  std::size_t i = 0;
  while (!(magics_[i].divisor == divisor)) ++i;
  return magics_[i];
}

Emitter::Parts Emitter::divided(const Index& index, const Amount& radix) {
  return radix.is_static() ? divided_by_constant(index.reg, radix.factor)
                           : divided_by_slot(index.reg, radix);
}

// Indices stay below 2^32, so floor(2^64 / d) + 1 gives exact quotients for any d that matters.
Emitter::Parts Emitter::divided_by_constant(const Loan& index, std::int64_t divisor) {
  Parts out{{Index::In::Register, a_.take(), -1, 1}, {Index::In::Register, a_.take(), -1, 1}};
  const auto d = static_cast<std::uint64_t>(divisor);
  if (d > 0xffffffff) {
    a_.xor_(out.quotient.reg.low(), out.quotient.reg.low());
    a_.mov(out.remainder.reg.reg(), index.reg());
  } else if (std::has_single_bit(d)) {
    a_.mov(out.quotient.reg.reg(), index.reg());
    if (d > 1) a_.shr(out.quotient.reg.reg(), std::countr_zero(d));
    a_.mov(out.remainder.reg.low(), index.low());
    a_.and_(out.remainder.reg.low(), static_cast<std::uint32_t>(d - 1));
  } else {
    a_.mov(a_.rax, ~std::uint64_t{0} / d + 1);
    a_.mul(index.reg());
    a_.mov(out.quotient.reg.reg(), a_.rdx);
    a_.load_constant(a_.rax, divisor);
    a_.imul(a_.rax, a_.rdx);
    a_.mov(out.remainder.reg.reg(), index.reg());
    a_.sub(out.remainder.reg.reg(), a_.rax);
  }
  return out;
}

// floor((2^64 - 1) / d) may give a quotient one too small, which the remainder shows.
Emitter::Parts Emitter::divided_by_slot(const Loan& index, const Amount& divisor) {
  const Magic& magic = magic_of(divisor);
  Parts out{{Index::In::Register, a_.take(), -1, 1}, {Index::In::Register, a_.take(), -1, 1}};
  a_.mov(a_.rax, a_[magic.slot]);
  a_.mul(index.reg());
  a_.mov(out.quotient.reg.reg(), a_.rdx);
  a_.imul(a_.rdx, a_[magic.divisor_slot]);
  a_.mov(out.remainder.reg.reg(), index.reg());
  a_.sub(out.remainder.reg.reg(), a_.rdx);
  a_.mov(a_.rax, out.remainder.reg.reg());
  a_.lea(a_.rdx, a_.ptr[out.quotient.reg.reg() + 1]);
  a_.sub(a_.rax, a_[magic.divisor_slot]);
  a_.cmovae(out.remainder.reg.reg(), a_.rax);
  a_.cmovae(out.quotient.reg.reg(), a_.rdx);
  return out;
}

}  // namespace pto::jit::xbyak
