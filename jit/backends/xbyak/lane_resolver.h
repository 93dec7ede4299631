// Whole groups of indices resolved as vectors of 32-bit lanes.
#pragma once

#include <array>

#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

class LaneResolver : Part {
 public:
  LaneResolver(const Task& task, Resolver& resolver) : Part(task), resolver_(resolver) {}

  void load_table_bytes(const Xbyak::Reg64& to) { resolver_.load_table_bytes(to); }
  // In the prologue: what lanes are compared with.
  void keep_limits();

  // The indices of a group stay in memory until somebody looks at them; then they are lanes.
  Index load(const Group& group);
  void load_lanes(const Group& group);
  static Xbyak::Xmm in(Vector vector, const Group& group) { return vector.of(4 * group.lanes); }

  void resolve_strip(const Xbyak::Reg64& to, const Xbyak::Reg64& left);

  Index clamped(const Index& index);
  Index wrapped(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  // Digits of all lanes. What is left of the slots has a vector of its own, the sum of the digits
  // is made where the slots were.
  Divided divided(const Index& index, const Amount& radix);
  void accumulate(const Index& sum, const Index& term);
  // For a capacity that fits lanes.
  void jump_if_none_inside(const Group& group, Label& none);
  // Lanes that count: for vectors as a mask, for others as bits of those that do not.
  Mask below(const Index& index);

 private:
  bool keeps_last() const;
  void keep_inverse();
  void keep_digits();
  void keep_even();
  Index inside(const Index& index);
  void divide_by_capacity(const Group& group);
  void find_outside(const Group& group);
  // `second`: the upper halves of the products with the vector `inverse`.
  void multiply_high(const Xbyak::Xmm& numbers, Vector inverse);
  void divide(const Index& index, const Divided& out, const Amount& radix);
  void divide_by_power(const Index& index, const Divided& out, std::uint64_t radix);
  Index scaled_digit(const Index& index, const Amount& step);
  Xbyak::Xmm lanes(const Group& group) const { return in(a_.vec.lanes, group); }
  static Xbyak::Xmm in(const Index& index) { return in(index.vector, index.group); }
  bool moves_vectors() const { return !takes_apart(); }

  // Numbers that all lanes are combined with: an amount, or what divides by it.
  enum class What : std::uint8_t { Itself, Inverse, Shift };
  struct Kept {
    Amount amount;
    What what = What::Itself;
    StackSlot slot;
  };
  StackSlot new_kept(const Amount& amount, What what);
  void keep_number(const Amount& amount, What what, std::uint64_t value);
  void keep_runtime_inverse(const Amount& radix);
  Xbyak::RegExp at(const Amount& amount, What what) const;
  void spread(const Xbyak::Xmm& to, const Amount& amount, What what);

  Resolver& resolver_;
  std::array<Kept, 20> kept_{};
  std::size_t kept_count_ = 0;
};

// eax in all lanes of a vector.
void broadcast(Assembler& a, Vector to);

}  // namespace pto::jit::xbyak
