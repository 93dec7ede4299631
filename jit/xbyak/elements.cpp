#include "jit/xbyak/elements.h"

namespace pto::jit::xbyak {

using Xbyak::Reg32;
using Xbyak::RegExp;
using Xbyak::Xmm;

bool Elements::is_integer() const { return info_of(number_).kind != NumberKind::Float; }

Reg32 Elements::general(Held which) const {
  return Reg32(which == Held::Table ? Xbyak::Operand::RAX : Xbyak::Operand::RDX);
}

void Elements::load(Held which, const RegExp& from) {
  if (wide_ > 0) return load_wide(which, from);
  if (number_ == DType::F32)
    return a_.isa.avx2 ? a_.vmovss(single(which), a_.dword[from])
                       : a_.movss(single(which), a_.dword[from]);
  if (adds_halves()) return a_.vmovw(single(which), a_.word[from]);
  const Reg32 bits = general(which);
  switch (size()) {
    case 1: a_.movzx(bits, a_.byte[from]); break;
    case 2: a_.movzx(bits, a_.word[from]); break;
    default: a_.mov(bits, a_.dword[from]); break;
  }
  if (number_ == DType::F16) return widen_half(single(which), bits);
  if (number_ != DType::BF16) return;
  a_.shl(bits, 16);
  move_to_single(single(which), bits);
}

void Elements::store(Held which, const RegExp& to) {
  if (wide_ > 0) return store_wide(which, to);
  if (number_ == DType::F32)
    return a_.isa.avx2 ? a_.vmovss(a_.dword[to], single(which))
                       : a_.movss(a_.dword[to], single(which));
  if (adds_halves()) return a_.vmovw(a_.word[to], single(which));
  const Reg32 bits = general(which);
  if (number_ == DType::F16) narrow_half(bits, single(which));
  if (number_ == DType::BF16) narrow_bf16(bits, single(which));
  switch (size()) {
    case 1: return a_.mov(a_.byte[to], Xbyak::Reg8(bits.getIdx()));
    case 2: return a_.mov(a_.word[to], bits.cvt16());
    default: return a_.mov(a_.dword[to], bits);
  }
}

Held Elements::sum(Held a, Held b) {
  if (wide_ > 0) {
    sum_wide(a, b);
  } else if (adds_halves()) {
    a_.vaddsh(single(a), single(a), single(b));
  } else if (is_integer()) {
    a_.add(general(a), general(b));
  } else {
    add_single(single(a), single(b));
  }
  return a;
}

// maxps and minps give their second operand for ties and NaN, so the kept value stands second.
Held Elements::pick_if_less(Held a, Held b, Held yes, Held no) {
  const bool is_max = yes == b;
  if (number_ == DType::F32) {
    if (wide_ > 0) {
      is_max ? a_.vmaxps(vector(yes), vector(yes), vector(no))
             : a_.vminps(vector(yes), vector(yes), vector(no));
    } else if (a_.isa.avx2) {
      is_max ? a_.vmaxss(single(yes), single(yes), single(no))
             : a_.vminss(single(yes), single(yes), single(no));
    } else {
      is_max ? a_.maxss(single(yes), single(no)) : a_.minss(single(yes), single(no));
    }
    return yes;
  }
  const bool is_signed = number_ == DType::I32;
  if (wide_ > 0) {
    const Xmm to = vector(no);
    if (is_max) {
      is_signed ? a_.vpmaxsd(to, to, vector(yes)) : a_.vpmaxud(to, to, vector(yes));
    } else {
      is_signed ? a_.vpminsd(to, to, vector(yes)) : a_.vpminud(to, to, vector(yes));
    }
    return no;
  }
  a_.cmp(general(a), general(b));
  is_signed ? a_.cmovl(general(no), general(yes)) : a_.cmovb(general(no), general(yes));
  return no;
}

void Elements::move_to_single(const Xmm& to, const Reg32& from) {
  a_.isa.avx2 ? a_.vmovd(to, from) : a_.movd(to, from);
}
void Elements::move_to_general(const Reg32& to, const Xmm& from) {
  a_.isa.avx2 ? a_.vmovd(to, from) : a_.movd(to, from);
}
void Elements::add_single(const Xmm& to, const Xmm& other) {
  a_.isa.avx2 ? a_.vaddss(to, to, other) : a_.addss(to, other);
}

// Without F16C: the fraction and exponent shifted into place are a float 2^112 times too small,
// subnormals included; infinities and NaN only need their exponent filled.
void Elements::widen_half(const Xmm& to, const Reg32& bits) {
  move_to_single(to, bits);
  if (a_.isa.avx2) return a_.vcvtph2ps(to, to);
  needs_constants_ = true;
  const Loan loan = a_.take();
  const Reg32 sign = loan.low();
  Xbyak::Label finite;
  Xbyak::Label done;
  a_.mov(sign, bits);
  a_.and_(sign, 0x8000);
  a_.shl(sign, 16);
  a_.and_(bits, 0x7fff);
  a_.shl(bits, 13);
  a_.cmp(bits, 0x0f800000);
  a_.jb(finite);
  a_.or_(bits, 0x7f800000);
  a_.jmp(done);
  a_.L(finite);
  a_.movd(to, bits);
  a_.mulss(to, a_.dword[a_.rip + two_to_112_]);
  a_.movd(bits, to);
  a_.L(done);
  a_.or_(bits, sign);
  a_.movd(to, bits);
}

// Rounds to nearest even, as narrow_f16 in ir/half.h does.
void Elements::narrow_half(const Reg32& to, const Xmm& value) {
  if (a_.isa.avx2) {
    a_.vcvtps2ph(value, value, 0);
    return move_to_general(to, value);
  }
  needs_constants_ = true;
  const Loan sign_loan = a_.take();
  const Loan odd_loan = a_.take();
  const Reg32 sign = sign_loan.low();
  const Reg32 odd = odd_loan.low();
  Xbyak::Label nan, infinite, subnormal, done;
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
  a_.addss(value, a_.dword[a_.rip + one_half_]);
  a_.movd(to, value);
  a_.sub(to, 0x3f000000);
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
  move_to_general(to, value);
  a_.mov(odd, to);
  a_.shr(odd, 16);
  a_.and_(odd, 1);
  a_.lea(to, a_.ptr[to.cvt64() + odd.cvt64() + 0x7fff]);
  a_.shr(to, 16);
}

void Elements::emit_constants() {
  if (!needs_constants_) return;
  a_.align(4);
  a_.L(two_to_112_);
  a_.dd(0x77800000);
  a_.L(one_half_);
  a_.dd(0x3f000000);
}

}  // namespace pto::jit::xbyak
