// Vectors of neighbouring elements, for runs that combine. 16-bit floats are widened to f32, unless
// the host adds them itself: its sum is the same, for f32 has more than twice their digits.
#include "jit/backends/xbyak/elements.h"

namespace pto::jit::xbyak {

using Xbyak::RegExp;
using Xbyak::Xmm;
using Xbyak::Ymm;

int Elements::vector_bytes(Atomic combine) const {
  if (!a_.isa.avx2 || combine == Atomic::None) return 0;
  const int bytes = a_.isa.avx512 ? 64 : 32;
  return is_widened() ? bytes / 2 : bytes;
}

void Elements::prepare() {
  if (number_ != DType::BF16 || !a_.isa.avx2) return;
  a_.uses_wide();
  const Xmm round = a_.vec.round.of(a_.isa.vector_bytes());
  const Xmm odd = a_.vec.odd.of(a_.isa.vector_bytes());
  if (!a_.isa.avx512) {
    a_.vpcmpeqd(round, round, round);
    a_.vpsrld(odd, round, 31);
    return a_.vpsrld(round, round, 17);
  }
  const Xmm one = a_.vec.one.z();
  a_.vpternlogd(round, round, round, 0xff);
  a_.vpsrld(one, round, 31);
  a_.vpslld(odd, one, 16);
  a_.vpsrld(round, round, 17);
  needs_uppers_ = true;
  a_.vpmovzxbw(a_.vec.uppers.z(), a_.ptr[a_.rip]);
  a_.refer(uppers_);
}

void Elements::load_wide(Value value, const RegExp& from) {
  a_.uses_wide();
  const Xmm to = vector(value);
  if (number_ == DType::F16 && !adds_halves()) return a_.vcvtph2ps(to, a_.ptr[from]);
  if (number_ == DType::BF16) {
    a_.vpmovzxwd(to, a_.ptr[from]);
    return a_.vpslld(to, to, 16);
  }
  to.isZMM() ? a_.vmovdqu32(to, a_.ptr[from]) : a_.vmovdqu(to, a_.ptr[from]);
}

void Elements::store_wide(Value value, const RegExp& to) {
  const Xmm from = vector(value);
  const Xbyak::Address where = a_.ptr[to];
  if (!is_widened()) return from.isZMM() ? a_.vmovdqu32(where, from) : a_.vmovdqu(where, from);
  if (number_ == DType::F16) return a_.vcvtps2ph(where, from, 0);
  round_bf16(from);
  pack_bf16(from);
  const Xmm packed = vector_of(value).of(value.wide);
  a_.vmovdqu(where, packed);
}

void Elements::widen(Value value) {
  a_.uses_wide();
  if (number_ == DType::F16) return a_.vcvtph2ps(vector(value), single(value));
  a_.vpmovzxwd(vector(value), single(value));
  a_.vpslld(vector(value), vector(value), 16);
}

void Elements::narrow(Value value) {
  const Xmm from = vector(value);
  if (number_ == DType::F16) return a_.vcvtps2ph(single(value), from, 0);
  round_bf16(from);
  pack_bf16(from);
}

// The upper halves of lanes that have been rounded, side by side at the low end.
void Elements::pack_bf16(const Xmm& value) {
  if (a_.isa.avx512) return a_.vpermw(value, a_.vec.uppers.of(value.getBit() / 8), value);
  a_.vpsrld(value, value, 16);
  a_.vpackusdw(value, value, value);
  a_.vpermq(Ymm(value.getIdx()), value, 0x08);  // the low halves of both lanes
}

void Elements::sum_wide(Value value, Value other) {
  const Xmm to = vector(value);
  with_operand(other, [&](const Xbyak::Operand& from) {
    switch (number_) {
      case DType::F16: return adds_halves() ? a_.vaddph(to, to, from) : a_.vaddps(to, to, from);
      case DType::F32:
      case DType::BF16: return a_.vaddps(to, to, from);
      case DType::I8:
      case DType::U8:
      case DType::F8E4M3:
      case DType::F8E5M2:
      case DType::HIF8: return a_.vpaddb(to, to, from);
      case DType::I16:
      case DType::U16: return a_.vpaddw(to, to, from);
      case DType::I32:
      case DType::U32: return a_.vpaddd(to, to, from);
    }
  });
}

void Elements::pick_wide(bool is_max, Value yes, Value no) {
  const Xmm to = vector(number_ == DType::F32 ? yes : no);
  with_operand(number_ == DType::F32 ? no : yes, [&](const Xbyak::Operand& other) {
    if (number_ == DType::F32) return is_max ? a_.vmaxps(to, to, other) : a_.vminps(to, to, other);
    if (number_ == DType::I32)
      return is_max ? a_.vpmaxsd(to, to, other) : a_.vpminsd(to, to, other);
    is_max ? a_.vpmaxud(to, to, other) : a_.vpminud(to, to, other);
  });
}

// Rounds f32 lanes to nearest even bf16, left at their upper ends. A sum that is NaN has an empty
// lower half, so that rounding leaves it alone.
void Elements::round_bf16(const Xmm& value) {
  const int bytes = static_cast<int>(value.getBit()) / 8;
  const Xmm odd = a_.vec.odd.of(bytes);
  const Xmm round = a_.vec.round.of(bytes);
  if (a_.isa.avx512) {
    a_.vptestmd(a_.mask.odd, value, odd);
    a_.vpaddd(value, value, round);
    return a_.vpaddd(value | a_.mask.odd, value, a_.vec.one.of(bytes));
  }
  const Xmm lowest = a_.vec.first.of(bytes);
  a_.vpsrld(lowest, value, 16);
  a_.vpand(lowest, lowest, odd);
  a_.vpaddd(value, value, round);
  a_.vpaddd(value, value, lowest);
}

}  // namespace pto::jit::xbyak
