#include "jit/backends/xbyak/elements.h"

namespace pto::jit::xbyak {

using Xbyak::Reg32;
using Xbyak::RegExp;
using Xbyak::Xmm;

bool Elements::is_integer() const { return info_of(number_).kind != NumberKind::Float; }

Reg32 Elements::general(Value value) const {
  return Reg32(value.held == Held::Table ? Xbyak::Operand::RAX : Xbyak::Operand::RDX);
}

// The second operand of an instruction that can read it there.
bool Elements::stays_in_memory(Value value) const {
  const bool is_float = number_ == DType::F32 && a_.isa.avx2;
  if (combine_ == Atomic::None || !(is_float || (value.wide > 0 && is_integer()))) return false;
  const bool keeps_table = combine_ != Atomic::Add && is_float;  // maxps gives its second for ties
  return value.held == (keeps_table ? Held::Table : Held::Tile);
}

Value Elements::load(Value to, const RegExp& from) {
  if (stays_in_memory(to)) {
    to.is_in_memory = true;
    to.at = from;
    return to;
  }
  to.wide > 0 ? load_wide(to, from) : load_one(to, from);
  return to;
}

void Elements::load_one(Value to, const RegExp& from) {
  if (to.held == Held::Table && adds_in_place()) return;
  if (number_ == DType::F32)
    return a_.isa.avx2 ? a_.vmovss(single(to), a_.dword[from])
                       : a_.movss(single(to), a_.dword[from]);
  if (adds_halves()) return a_.vmovw(single(to), a_.word[from]);
  if (has_half_vectors()) {
    a_.vpbroadcastw(single(to), a_.word[from]);
    return number_ == DType::F16 ? a_.vcvtph2ps(single(to), single(to))
                                 : a_.vpslld(single(to), single(to), 16);
  }
  const Reg32 bits = general(to);
  switch (size()) {
    case 1: a_.movzx(bits, a_.byte[from]); break;
    case 2: a_.movzx(bits, a_.word[from]); break;
    default: a_.mov(bits, a_.dword[from]); break;
  }
  if (number_ == DType::F16) return widen_half(single(to), bits);
  if (number_ != DType::BF16) return;
  a_.shl(bits, 16);
  a_.movd(single(to), bits);
}

void Elements::store(Value value, const RegExp& to) {
  if (value.wide > 0) return store_wide(value, to);
  if (number_ == DType::F32)
    return a_.isa.avx2 ? a_.vmovss(a_.dword[to], single(value))
                       : a_.movss(a_.dword[to], single(value));
  if (adds_halves()) return a_.vmovw(a_.word[to], single(value));
  if (has_half_vectors()) {
    const bool is_bf16 = number_ == DType::BF16;
    is_bf16 ? round_bf16(single(value)) : a_.vcvtps2ph(single(value), single(value), 0);
    return a_.vpextrw(a_.word[to], single(value), is_bf16 ? 1 : 0);
  }
  if (adds_in_place()) return add_to_memory(to);
  const Reg32 bits = general(value);
  if (number_ == DType::F16) narrow_half(bits, single(value));
  if (number_ == DType::BF16) narrow_bf16(bits, single(value));
  switch (size()) {
    case 1: return a_.mov(a_.byte[to], Xbyak::Reg8(bits.getIdx()));
    case 2: return a_.mov(a_.word[to], bits.cvt16());
    default: return a_.mov(a_.dword[to], bits);
  }
}

void Elements::add_to_memory(const RegExp& to) {
  const Reg32 bits = general({Held::Tile});
  switch (size()) {
    case 1: return a_.add(a_.byte[to], Xbyak::Reg8(bits.getIdx()));
    case 2: return a_.add(a_.word[to], bits.cvt16());
    default: return a_.add(a_.dword[to], bits);
  }
}

Value Elements::sum(Value a, Value b) {
  if (a.wide > 0) {
    sum_wide(a, b);
  } else if (adds_halves()) {
    a_.vaddsh(single(a), single(a), single(b));
  } else if (!adds_in_place()) {
    const Xmm to = single(a);
    with_operand(b, [&](const Xbyak::Operand& other) {
      a_.isa.avx2 ? a_.vaddss(to, to, other) : a_.addss(to, other);
    });
  }
  return a;
}

// maxps and minps give their second operand for ties and NaN, so the kept value stands second.
Value Elements::pick_if_less(Value a, Value b, Value yes, Value no) {
  const bool is_max = yes.held == b.held;
  const bool is_float = number_ == DType::F32;
  if (a.wide > 0) {
    pick_wide(is_max, yes, no);
  } else if (is_float && a_.isa.avx2) {
    const Xmm to = single(yes);
    with_operand(no, [&](const Xbyak::Operand& kept) {
      is_max ? a_.vmaxss(to, to, kept) : a_.vminss(to, to, kept);
    });
  } else if (is_float) {
    is_max ? a_.maxss(single(yes), single(no)) : a_.minss(single(yes), single(no));
  } else {
    a_.cmp(general(a), general(b));
    number_ == DType::I32 ? a_.cmovl(general(no), general(yes))
                          : a_.cmovb(general(no), general(yes));
  }
  return is_float ? yes : no;
}

// Without F16C: the fraction and exponent shifted into place are a float 2^112 times too small,
// subnormals included; infinities and NaN only need their exponent filled.
void Elements::widen_half(const Xmm& to, const Reg32& bits) {
  needs_constants_ = true;
  const Loan loan = a_.take();
  const Reg32 sign = loan.low();
  Label finite;
  Label done;
  a_.mov(sign, bits);
  a_.and_(sign, 0x8000);
  a_.shl(sign, 16);
  a_.and_(bits, 0x7fff);
  a_.shl(bits, 13);
  a_.cmp(bits, 0x0f800000);
  a_.jb(finite);
  a_.or_(bits, 0x7f800000);
  a_.serving(Purpose::Infinite, [&] { a_.jmp(done); });
  a_.L(finite);
  a_.movd(to, bits);
  a_.mulss(to, a_.dword[a_.rip]);
  a_.refer(two_to_112_);
  a_.movd(bits, to);
  a_.L(done);
  a_.or_(bits, sign);
  a_.movd(to, bits);
}

// Rounds to nearest even, as narrow_f16 in ir/half.h does.
void Elements::narrow_half(const Reg32& to, const Xmm& value) {
  needs_constants_ = true;
  const Loan sign_loan = a_.take();
  const Loan odd_loan = a_.take();
  const Reg32 sign = sign_loan.low();
  const Reg32 odd = odd_loan.low();
  Label nan, infinite, subnormal, done;
  a_.movd(to, value);
  a_.mov(sign, to);
  a_.shr(sign, 16);
  a_.and_(sign, 0x8000);
  a_.and_(to, 0x7fffffff);
  a_.cmp(to, 0x7f800000);
  a_.ja(nan);
  a_.cmp(to, 0x477ff000);
  a_.jae(infinite);
  a_.cmp(to, 0x38800000);
  a_.jb(subnormal);
  a_.mov(odd, to);
  a_.shr(odd, 13);
  a_.and_(odd, 1);
  a_.lea(to, a_.ptr[to.cvt64() + odd.cvt64() + (0xfff - 0x38000000)]);
  a_.shr(to, 13);
  a_.jmp(done);
  a_.L(subnormal);
  a_.movd(value, to);
  a_.addss(value, a_.dword[a_.rip]);
  a_.refer(one_half_);
  a_.movd(to, value);
  a_.serving(Purpose::UpperHalf, [&] { a_.sub(to, 0x3f000000); });
  a_.jmp(done);
  a_.L(nan);
  a_.mov(to, 0x7e00);
  a_.jmp(done);
  a_.L(infinite);
  a_.mov(to, 0x7c00);
  a_.L(done);
  a_.or_(to, sign);
}

// Rounds to nearest even. A sum that is NaN has an empty lower half, so that this leaves it alone.
void Elements::narrow_bf16(const Reg32& to, const Xmm& value) {
  const Loan loan = a_.take();
  const Reg32 odd = loan.low();
  a_.movd(to, value);
  a_.mov(odd, to);
  a_.shr(odd, 16);
  a_.and_(odd, 1);
  a_.lea(to, a_.ptr[to.cvt64() + odd.cvt64() + 0x7fff]);
  a_.shr(to, 16);
}

void Elements::emit_constants() {
  if (needs_uppers_) {
    a_.L(uppers_);
    for (int word = 1; word < 64; word += 2) a_.db(word);
  }
  if (!needs_constants_) return;
  a_.align(4);
  a_.L(two_to_112_);
  a_.dd(0x77800000);
  a_.L(one_half_);
  a_.dd(0x3f000000);
}

}  // namespace pto::jit::xbyak
