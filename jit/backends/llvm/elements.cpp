#include "jit/backends/llvm/elements.h"

namespace pto::jit::llvm_backend {

Scalar bits_of_size(int bytes) {
  switch (bytes) {
    case 1: return Scalar::I8;
    case 2: return Scalar::I16;
    case 4: return Scalar::I32;
    default: return Scalar::I64;
  }
}

int Elements::vector_lanes() const {
  const bool is_widened =
      (number_ == DType::F16 && !abilities_.adds_half) || number_ == DType::BF16;
  return abilities_.vector_bytes / (is_widened ? 4 : static_cast<int>(size_of(number_)));
}

Value Elements::load(Value from, int lanes) {
  if (number_ == DType::F32) return f_.load({Scalar::F32, lanes}, from);
  return number(f_.load({bits_of_size(static_cast<int>(size_of(number_))), lanes}, from));
}

Value Elements::number(Value bits) {
  if (number_ == DType::F16) return widen_f16(bits);
  return number_ == DType::BF16 ? widen_bf16(bits) : bits;
}

Value Elements::bits(Value number) {
  if (number_ == DType::F16) return narrow_f16(number);
  return number_ == DType::BF16 ? narrow_bf16(number) : number;
}

Value Elements::sum(Value a, Value b) {
  const bool is_float = info_of(number_).kind == NumberKind::Float;
  return is_float ? f_.add_float(a, b) : f_.add(a, b);
}

Value Elements::pick_if_less(Value a, Value b, Value yes, Value no) {
  const auto is_less = [&] {
    switch (info_of(number_).kind) {
      case NumberKind::Float: return f_.is_less_float(a, b);
      case NumberKind::Signed: return f_.is_less_signed(a, b);
      case NumberKind::Unsigned:
      case NumberKind::Opaque: return f_.is_below(a, b);
    }
    __builtin_unreachable();
  };
  return f_.choose(is_less(), yes, no);
}

// As it is where it can be added: f32 has more than twice the digits, so that its sums, rounded
// once more, are the same. Without an instruction for it: fraction and exponent shifted into place
// are a float 2^112 times too small, subnormals included; infinities and NaN only need their
// exponent filled.
Value Elements::widen_f16(Value bits) {
  if (abilities_.adds_half) return f_.same_bits(bits, Scalar::F16);
  if (abilities_.has_half) return f_.as_single(f_.same_bits(bits, Scalar::F16));
  const Value wide = f_.extended(bits, Scalar::I32);
  const Value sign = f_.shift_left(f_.both(wide, 0x8000), 16);
  const Value magnitude = f_.shift_left(f_.both(wide, 0x7fff), 13);
  const Value small = f_.same_bits(magnitude, Scalar::F32);
  const Value finite =
      f_.same_bits(f_.mul_float(small, f_.constant(0x77800000, small)), Scalar::I32);
  const Value endless = f_.either(magnitude, 0x7f800000);
  const Value is_finite = f_.is_less_signed(magnitude, f_.constant(0x0f800000, magnitude));
  const Value made = f_.choose(is_finite, finite, endless);
  return f_.same_bits(f_.either(made, sign), Scalar::F32);
}

// Rounds to nearest even, as narrow_f16 in ir/half.h does.
Value Elements::narrow_f16(Value single) {
  if (abilities_.adds_half) return single;
  if (abilities_.has_half) return f_.as_half(single);
  const Value bits = f_.same_bits(single, Scalar::I32);
  const Value sign = f_.both(f_.shift_right(bits, 16), 0x8000);
  const Value magnitude = f_.both(bits, 0x7fffffff);
  const Value odd = f_.both(f_.shift_right(magnitude, 13), 1);
  const Value normal = f_.shift_right(f_.add(f_.add(magnitude, odd), 0xfffu - 0x38000000u), 13);
  const Value positive = f_.same_bits(magnitude, Scalar::F32);
  const Value shifted = f_.add_float(positive, f_.constant(0x3f000000, positive));
  const Value subnormal = f_.sub(f_.same_bits(shifted, Scalar::I32), 0x3f000000);
  const Value is_normal = f_.is_less_signed(f_.constant(0x387fffff, bits), magnitude);
  const Value finite = f_.choose(is_normal, normal, subnormal);
  const Value endless =
      f_.choose(f_.is_nan(single), f_.constant(0x7e00, bits), f_.constant(0x7c00, bits));
  const Value is_finite = f_.is_less_signed(magnitude, f_.constant(0x477ff000, bits));
  const Value made = f_.choose(is_finite, finite, endless);
  return f_.cut(f_.either(made, sign), Scalar::I16);
}

Value Elements::widen_bf16(Value bits) {
  const Value wide = f_.extended(bits, Scalar::I32);
  return f_.same_bits(f_.shift_left(wide, 16), Scalar::F32);
}

// By integer arithmetic: a conversion instruction would call a library, or flush subnormals. A sum
// that is NaN has an empty lower half, so that rounding leaves it alone.
Value Elements::narrow_bf16(Value single) {
  const Value bits = f_.same_bits(single, Scalar::I32);
  const Value odd = f_.both(f_.shift_right(bits, 16), 1);
  const Value rounded = f_.add(f_.add(bits, odd), 0x7fff);
  return f_.cut(f_.shift_right(rounded, 16), Scalar::I16);
}

}  // namespace pto::jit::llvm_backend
