// How far the places of a table go whose digits are known only at run time.
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;

void Resolver::keep_places() {
  if (plan_.digit_count == 1 || digits_are_known(plan_)) return;
  table_bytes_ = a_.new_slot();
  farthest_ = a_.new_slot();
  const Loan bytes = a_.take();
  a_.serving(Purpose::FarPlaces, [&] {
    a_.mov(bytes.low(), plan_.element_size);
    add_digits(bytes.reg());
    a_.mov(a_[table_bytes_], bytes.reg());
    a_.xor_(a_.eax, a_.eax);
    const auto join = [&](const Amount& amount) {
      if (!amount.is_static()) a_.or_(a_.rax, a_[a_.slot_of(amount)]);
    };
    join(plan_.capacity);
    for (std::size_t i = 0; i < plan_.digit_count; ++i) {
      join(plan_.digits[i].radix);
      join(plan_.digits[i].step);
    }
    static_assert(2 * kDigitAmounts == std::int64_t{1} << 31);
    a_.add(a_.rax, a_.rax);
    a_.or_(a_.rax, bytes.reg());
    a_.mov(a_[farthest_], a_.rax);
  });
}

// Each digit at its largest, times its step.
void Resolver::add_digits(const Reg64& bytes) {
  const Loan slots = a_.take();
  a_.load(slots.reg(), plan_.capacity);
  for (std::size_t i = 0; i < plan_.digit_count; ++i) {
    const auto& [radix, step] = plan_.digits[i];
    const bool is_last = i + 1U == plan_.digit_count;
    const Loan values = a_.take();
    is_last ? a_.mov(values.reg(), slots.reg()) : load_divisor(values.reg(), radix);
    if (!is_last) {
      a_.mov(a_.rax, slots.reg());
      a_.xor_(a_.edx, a_.edx);
      a_.div(values.reg());
      a_.mov(slots.reg(), a_.rax);
    }
    a_.dec(values.reg());
    multiply(values.reg(), step);
    a_.add(bytes, values.reg());
  }
}

void Resolver::load_table_bytes(const Reg64& to) {
  digits_are_known(plan_) ? a_.load_constant(to, *table_bytes(plan_))
                          : a_.mov(to, a_[table_bytes_]);
}

void Resolver::jump_if_places_are_far(Label& to) {
  a_.serving(Purpose::FarPlaces, [&] {
    a_.cmp(a_[farthest_], 0x7fffffff);
    a_.ja(to, Assembler::T_NEAR);
  });
}

}  // namespace pto::jit::xbyak
