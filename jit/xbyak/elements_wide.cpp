// Vectors of neighbouring elements, for runs that combine. 16-bit floats are eight at a time in
// f32.
#include "jit/xbyak/elements.h"

namespace pto::jit::xbyak {

using Xbyak::RegExp;
using Xbyak::Xmm;
using Xbyak::Ymm;

int Elements::vector_bytes(Atomic combine) const {
  if (!a_.isa.avx2 || combine == Atomic::None) return 0;
  const bool is_half = number_ == DType::F16 || number_ == DType::BF16;
  return is_half ? 16 : 32;
}

void Elements::load_wide(Held which, const RegExp& from) {
  a_.uses_wide();
  const Ymm to = vector(which);
  switch (number_) {
    case DType::F16: return a_.vcvtph2ps(to, a_.xword[from]);
    case DType::BF16: a_.vpmovzxwd(to, a_.xword[from]); return a_.vpslld(to, to, 16);
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::I32:
    case DType::U32:
    case DType::F32:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return a_.vmovdqu(to, a_.yword[from]);
  }
}

void Elements::store_wide(Held which, const RegExp& to) {
  const Ymm value = vector(which);
  switch (number_) {
    case DType::F16: return a_.vcvtps2ph(a_.xword[to], value, 0);
    case DType::BF16: narrow_bf16_wide(value); return a_.vmovdqu(a_.xword[to], Xmm(value.getIdx()));
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::I32:
    case DType::U32:
    case DType::F32:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return a_.vmovdqu(a_.yword[to], value);
  }
}

void Elements::sum_wide(const Ymm& to, const Ymm& other) {
  switch (number_) {
    case DType::F32:
    case DType::F16:
    case DType::BF16: return a_.vaddps(to, to, other);
    case DType::I8:
    case DType::U8:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: return a_.vpaddb(to, to, other);
    case DType::I16:
    case DType::U16: return a_.vpaddw(to, to, other);
    case DType::I32:
    case DType::U32: return a_.vpaddd(to, to, other);
  }
}

// Rounds to nearest even by integer arithmetic; NaN keep their upper half and become quiet.
// Constants are made from all ones: no memory is read for them.
void Elements::narrow_bf16_wide(const Ymm& value) {
  const Ymm bias(2), odd(3), quiet(4), is_nan(5);
  a_.vcmpunordps(is_nan, value, value);
  a_.vpcmpeqd(bias, bias, bias);
  a_.vpsrld(quiet, bias, 31);
  a_.vpsrld(bias, bias, 17);  // 0x7fff
  a_.vpsrld(odd, value, 16);
  a_.vpand(odd, odd, quiet);    // the last bit that stays
  a_.vpslld(quiet, quiet, 22);  // 0x400000
  a_.vpor(quiet, quiet, value);
  a_.vpaddd(odd, odd, bias);
  a_.vpaddd(value, value, odd);
  a_.vblendvps(value, value, quiet, is_nan);
  a_.vpsrld(value, value, 16);
  a_.vpackusdw(value, value, value);
  a_.vpermq(value, value, 0x08);  // the low halves of both lanes
}

}  // namespace pto::jit::xbyak
