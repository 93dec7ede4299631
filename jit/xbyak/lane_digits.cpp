// Slots of whole groups split into digits: quotients by a shift, or by a multiplication with the
// inverse, which for numbers of 31 bits is never wrong.
#include <bit>

#include "jit/xbyak/lane_resolver.h"

namespace pto::jit::xbyak {

using Xbyak::Xmm;

namespace {

std::uint64_t value_of(const Amount& amount) { return static_cast<std::uint64_t>(amount.factor); }
std::uint8_t shift_of(std::uint64_t power) {
  return static_cast<std::uint8_t>(std::countr_zero(power));
}

// floor(2^(32 + s) / radix) + 1, where 2^s is the power of two below the radix.
std::uint8_t inverse_shift(std::uint64_t radix) {
  return static_cast<std::uint8_t>(std::bit_width(radix) - 1);
}
std::uint64_t inverse_of(std::uint64_t radix) {
  return (std::uint64_t{1} << (32 + inverse_shift(radix))) / radix + 1;
}

}  // namespace

// Numbers that are no powers of two, on the stack.
void LaneResolver::keep_digits() {
  const auto keep = [&](std::uint64_t value) {
    kept_[kept_count_] = {value, a_.new_slot()};
    a_.mov(at(kept_[kept_count_++]), static_cast<std::uint32_t>(value));
  };
  for (std::size_t i = 0; i < plan_.digit_count; ++i) {
    const std::uint64_t radix = value_of(plan_.digits[i].radix);
    const std::uint64_t step = value_of(plan_.digits[i].step);
    if (!std::has_single_bit(step)) keep(step);
    if (i + 1U == plan_.digit_count || std::has_single_bit(radix)) continue;
    keep(radix);
    keep(inverse_of(radix));
  }
  keep_even();
}

void LaneResolver::spread(const Xmm& to, std::uint64_t value) {
  std::size_t i = 0;
  while (kept_[i].value != value) ++i;
  a_.vpbroadcastd(to, at(kept_[i]));
}

Divided LaneResolver::divided(const Index& index, const Amount& radix) {
  const bool is_slot = index.vector.index == a_.vec.lanes.index;
  Divided out{{.in = Index::In::Vector, .group = index.group, .is_loaded = true}, {}};
  out.remainder = out.quotient;
  out.quotient.vector = a_.vec.zero;
  out.remainder.vector = is_slot ? a_.vec.lanes : a_.vec.spare;
  divide(index, out, value_of(radix));
  return out;
}

void LaneResolver::divide(const Index& index, const Divided& out, std::uint64_t radix) {
  const Xmm number = in(index);
  const Xmm quotient = in(out.quotient);
  const Xmm remainder = in(out.remainder);
  const Xmm product = in(a_.vec.second, index.group);
  const Xmm multiple = in(a_.vec.first, index.group);
  if (std::has_single_bit(radix)) {
    const auto others = static_cast<std::uint8_t>(32 - shift_of(radix));
    a_.vpslld(product, number, others);
    a_.vpsrld(quotient, number, shift_of(radix));
    return a_.vpsrld(remainder, product, others);
  }
  spread(in(a_.vec.table, index.group), inverse_of(radix));
  multiply_high(number, a_.vec.table);
  spread(multiple, radix);
  a_.vpsrld(product, product, inverse_shift(radix));
  a_.vpmulld(multiple, multiple, product);
  a_.vpsubd(remainder, number, multiple);
  strategy_.avx512 ? a_.vmovdqa32(quotient, product) : a_.vmovdqa(quotient, product);
}

Index LaneResolver::scaled_digit(const Index& index, const Amount& step) {
  const Xmm digit = in(index);
  const std::uint64_t factor = value_of(step);
  if (std::has_single_bit(factor)) {
    if (factor > 1) a_.vpslld(digit, digit, shift_of(factor));
    return index;
  }
  spread(in(a_.vec.first, index.group), factor);
  a_.vpmulld(digit, digit, in(a_.vec.first, index.group));
  return index;
}

void LaneResolver::accumulate(const Index& sum, const Index& term) {
  a_.vpaddd(in(sum), in(sum), in(term));
}

}  // namespace pto::jit::xbyak
