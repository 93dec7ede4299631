// Slots of whole groups split into digits: quotients by a shift, or by a multiplication with the
// inverse, which for numbers of 31 bits is never wrong.
#include <bit>

#include "jit/backends/xbyak/lane_resolver.h"

namespace pto::jit::xbyak {

using Xbyak::Xmm;

namespace {

std::uint64_t value_of(const Amount& amount) { return static_cast<std::uint64_t>(amount.factor); }
std::uint8_t shift_of(std::uint64_t power) {
  return static_cast<std::uint8_t>(std::countr_zero(power));
}
bool is_power(const Amount& amount) {
  return amount.is_static() && std::has_single_bit(value_of(amount));
}

// floor(2^(32 + s) / radix) + 1, where 2^s is the power of two below the radix.
std::uint8_t inverse_shift(std::uint64_t radix) {
  return static_cast<std::uint8_t>(std::bit_width(radix) - 1);
}
std::uint64_t inverse_of(std::uint64_t radix) {
  return (std::uint64_t{1} << (32 + inverse_shift(radix))) / radix + 1;
}

}  // namespace

// Amounts known only at run time have a place on the stack anyway, powers of two need none.
void LaneResolver::keep_digits() {
  for (std::size_t i = 0; i < plan_.digit_count; ++i) {
    const auto& [radix, step] = plan_.digits[i];
    if (step.is_static() && !is_power(step)) keep_number(step, What::Itself, value_of(step));
    if (i + 1U == plan_.digit_count || is_power(radix)) continue;
    if (!radix.is_static()) {
      keep_runtime_inverse(radix);
      continue;
    }
    keep_number(radix, What::Itself, value_of(radix));
    keep_number(radix, What::Inverse, inverse_of(value_of(radix)));
  }
  keep_even();
}

StackSlot LaneResolver::new_kept(const Amount& amount, What what) {
  const StackSlot slot = a_.new_area(what == What::Shift ? 16 : 8);  // shifts are read as vectors
  kept_[kept_count_++] = {amount, what, slot};
  return slot;
}

void LaneResolver::keep_number(const Amount& amount, What what, std::uint64_t value) {
  const StackSlot slot = new_kept(amount, what);
  a_.mov(a_.dword[a_.rsp + slot.offset], static_cast<std::uint32_t>(value));
}

// floor(2^(31 + s) / radix) + 1, where 2^s is the least power of two not below the radix: 32 bits
// for any radix, also one, but the number divided has to be doubled.
void LaneResolver::keep_runtime_inverse(const Amount& radix) {
  const Loan divisor = a_.take();
  const Loan shift = a_.take();
  resolver_.load_divisor(divisor.reg(), radix);
  a_.lea(shift.reg(), a_.ptr[divisor.reg() + divisor.reg() - 1]);
  a_.bsr(shift.reg(), shift.reg());
  a_.mov(a_[new_kept(radix, What::Shift)], shift.reg());
  a_.add(shift.reg(), 31);
  a_.mov(a_.eax, 1);
  a_.shlx(a_.rax, a_.rax, shift.reg());
  a_.serving(Purpose::Dividend, [&] { a_.xor_(a_.edx, a_.edx); });
  a_.div(divisor.reg());
  a_.inc(a_.rax);
  a_.mov(a_[new_kept(radix, What::Inverse)], a_.rax);
}

Xbyak::RegExp LaneResolver::at(const Amount& amount, What what) const {
  if (what == What::Itself && !amount.is_static())
    return a_.rsp + static_cast<std::size_t>(a_.slot_of(amount).offset);
  std::size_t i = 0;
  while (kept_[i].what != what || !(kept_[i].amount == amount)) ++i;
  return a_.rsp + kept_[i].slot.within(0, what == What::Shift ? 16 : 4);
}

void LaneResolver::spread(const Xmm& to, const Amount& amount, What what) {
  a_.vpbroadcastd(to, a_.dword[at(amount, what)]);
}

Divided LaneResolver::divided(const Index& index, const Amount& radix) {
  const bool is_slot = index.vector.index == a_.vec.lanes.index;
  Divided out{{.in = Index::In::Vector, .group = index.group, .is_loaded = true}, {}};
  out.remainder = out.quotient;
  out.quotient.vector = a_.vec.zero;
  out.remainder.vector = is_slot ? a_.vec.lanes : a_.vec.spare;
  is_power(radix) ? divide_by_power(index, out, value_of(radix)) : divide(index, out, radix);
  return out;
}

void LaneResolver::divide_by_power(const Index& index, const Divided& out, std::uint64_t radix) {
  const Xmm others = in(a_.vec.second, index.group);
  const auto bits = static_cast<std::uint8_t>(32 - shift_of(radix));
  a_.vpslld(others, in(index), bits);
  a_.vpsrld(in(out.quotient), in(index), shift_of(radix));
  a_.vpsrld(in(out.remainder), others, bits);
}

void LaneResolver::divide(const Index& index, const Divided& out, const Amount& radix) {
  const Xmm number = in(index);
  const Xmm product = in(a_.vec.second, index.group);
  const Xmm multiple = in(a_.vec.first, index.group);
  const Xmm doubled = in(a_.vec.doubled, index.group);
  spread(in(a_.vec.table, index.group), radix, What::Inverse);
  if (radix.is_static()) {
    multiply_high(number, a_.vec.table);
    a_.vpsrld(product, product, inverse_shift(value_of(radix)));
  } else {
    a_.vpaddd(doubled, number, number);
    multiply_high(doubled, a_.vec.table);
    a_.vpsrld(product, product, a_.xword[at(radix, What::Shift)]);
  }
  spread(multiple, radix, What::Itself);
  a_.vpmulld(multiple, multiple, product);
  a_.vpsubd(in(out.remainder), number, multiple);
  strategy_.avx512 ? a_.vmovdqa32(in(out.quotient), product)
                   : a_.vmovdqa(in(out.quotient), product);
}

Index LaneResolver::scaled_digit(const Index& index, const Amount& step) {
  const Xmm digit = in(index);
  if (is_power(step)) {
    if (!step.is(1)) a_.vpslld(digit, digit, shift_of(value_of(step)));
    return index;
  }
  spread(in(a_.vec.first, index.group), step, What::Itself);
  a_.vpmulld(digit, digit, in(a_.vec.first, index.group));
  return index;
}

void LaneResolver::accumulate(const Index& sum, const Index& term) {
  a_.vpaddd(in(sum), in(sum), in(term));
}

}  // namespace pto::jit::xbyak
