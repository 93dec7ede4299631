#include "jit/backends/xbyak/forms/registers.h"

#include <algorithm>
#include <bit>

namespace pto::jit::xbyak {

using Xbyak::Zmm;

void RegistersForm::start_walk() {
  std::int64_t begin = 0;
  for (const Vector& part : {a_.vec.table_low, a_.vec.table_high}) {
    if (table_bytes() <= begin) break;
    const std::int64_t left = std::min<std::int64_t>(table_bytes() - begin, 64);
    load_table(part, a_.at.table + static_cast<std::size_t>(begin), static_cast<int>(left));
    begin += 64;
  }
  a_.uses_wide();
}

// A table shorter than its registers is not read beyond its end. Loads under a mask are not what
// hardware goes by that fetches ahead, where each call has another table.
void RegistersForm::load_table(const Vector& to, const Xbyak::RegExp& from, int bytes) {
  if (bytes >= 16 && std::has_single_bit(static_cast<unsigned>(bytes)))
    return a_.load_piece({bytes, to.index, true}, Address(from));
  a_.mov(a_.rax, ~std::uint64_t{0} >> (64 - bytes));
  a_.kmovq(a_.mask.spent, a_.rax);
  a_.vmovdqu8(to.z() | a_.mask.spent | a_.T_z, a_.ptr[from]);
}

// Lanes pick 32 bits; a smaller element is turned down from its place in them, which only the lower
// bits of an index say, as only they count in a rotation. What is stored is the lowest element.
Value RegistersForm::gather(const Index&, const Mask&) {
  const Zmm value = a_.vec.table.z();
  const Zmm all = a_.vec.lanes.z();
  const Zmm shift = a_.vec.shift.z();
  const Zmm low = a_.vec.table_low.z();
  const auto halvings =
      static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(per_lane())));
  halvings > 0 ? a_.vpsrld(value, all, halvings) : a_.vmovdqa32(value, all);
  table_bytes() <= 64 ? a_.vpermd(value, value, low)
                      : a_.vpermi2d(value, low, a_.vec.table_high.z());
  if (halvings > 0) {
    a_.vpslld(shift, all, static_cast<std::uint8_t>(5 - halvings));
    a_.vprorvd(value, value, shift);
  }
  if (plan_.oob == Oob::Zero) a_.vmovdqa32(value | a_.mask.live | a_.T_z, value);
  return {.held = Held::Table};
}

}  // namespace pto::jit::xbyak
