// Vectors of neighbouring elements, for runs that combine. 16-bit floats are widened to f32, unless
// the host adds them itself: its sum is the same, for f32 has more than twice their digits.
#include "jit/xbyak/elements.h"
#include "jit/xbyak/vectors.h"

namespace pto::jit::xbyak {

using Xbyak::RegExp;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

int Elements::vector_bytes(Atomic combine) const {
  if (!a_.isa.avx2 || combine == Atomic::None) return 0;
  const int bytes = a_.isa.avx512 ? 64 : 32;
  return is_half() && !adds_halves() ? bytes / 2 : bytes;
}

Xmm Elements::vector(int index) const {
  const int bytes = is_half() && !adds_halves() ? 2 * wide_ : wide_;
  if (bytes > 32) return Zmm(index);
  if (bytes > 16) return Ymm(index);
  return Xmm(index);
}

void Elements::prepare() {
  if (number_ != DType::BF16 || !a_.isa.avx2) return;
  const auto all = [&](int index) { return a_.isa.avx512 ? Xmm(Zmm(index)) : Xmm(Ymm(index)); };
  a_.isa.avx512 ? a_.vpternlogd(all(kRound), all(kRound), all(kRound), 0xff)
                : a_.vpcmpeqd(all(kRound), all(kRound), all(kRound));
  a_.vpsrld(all(kOdd), all(kRound), 31);
  a_.vpsrld(all(kRound), all(kRound), 17);
  a_.uses_wide();
}

void Elements::load_wide(Held which, const RegExp& from) {
  a_.uses_wide();
  const Xmm to = vector(which);
  if (number_ == DType::F16 && !adds_halves()) return a_.vcvtph2ps(to, a_.ptr[from]);
  if (number_ == DType::BF16) {
    a_.vpmovzxwd(to, a_.ptr[from]);
    return a_.vpslld(to, to, 16);
  }
  to.isZMM() ? a_.vmovdqu32(to, a_.ptr[from]) : a_.vmovdqu(to, a_.ptr[from]);
}

void Elements::store_wide(Held which, const RegExp& to) {
  const Xmm value = vector(which);
  const Xbyak::Address where = a_.ptr[to];
  if (!is_half() || adds_halves())
    return value.isZMM() ? a_.vmovdqu32(where, value) : a_.vmovdqu(where, value);
  if (number_ == DType::F16) return a_.vcvtps2ph(where, value, 0);
  round_bf16(value);
  if (a_.isa.avx512) return a_.vpmovdw(where, value);
  narrow(which);
  a_.vmovdqu(where, single(which));
}

void Elements::widen(Held which) {
  a_.uses_wide();
  if (number_ == DType::F16) return a_.vcvtph2ps(vector(which), single(which));
  a_.vpmovzxwd(vector(which), single(which));
  a_.vpslld(vector(which), vector(which), 16);
}

// What was rounded is packed; eight lanes of a batch are rounded first.
void Elements::narrow(Held which) {
  const Xmm value = vector(which);
  if (number_ == DType::F16) return a_.vcvtps2ph(single(which), value, 0);
  if (a_.isa.avx512) {
    round_bf16(value);
    return a_.vpmovdw(single(which), value);
  }
  a_.vpackusdw(value, value, value);
  a_.vpermq(Ymm(value.getIdx()), value, 0x08);  // the low halves of both lanes
}

void Elements::sum_wide(Held which, Held other) {
  const Xmm to = vector(which);
  const Xmm from = vector(other);
  switch (number_) {
    case DType::F16:
      if (adds_halves()) return a_.vaddph(to, to, from);
      return a_.vaddps(to, to, from);
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
}

// Rounds f32 lanes to nearest even bf16, left at their low ends. A sum that is NaN has an empty
// lower half, so that rounding leaves it alone.
void Elements::round_bf16(const Xmm& value) {
  const int bits = static_cast<int>(value.getBit());
  const auto like = [&](int index) {
    return bits == 512 ? Xmm(Zmm(index)) : bits == 256 ? Xmm(Ymm(index)) : Xmm(index);
  };
  const Xmm odd = like(2);
  a_.vpsrld(odd, value, 16);
  bits == 512 ? a_.vpandd(odd, odd, like(kOdd)) : a_.vpand(odd, odd, like(kOdd));
  a_.vpaddd(value, value, like(kRound));
  a_.vpaddd(value, value, odd);
  a_.vpsrld(value, value, 16);
}

}  // namespace pto::jit::xbyak
