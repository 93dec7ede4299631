#include "jit/xbyak/forms/registers.h"

#include <algorithm>
#include <bit>

namespace pto::jit::xbyak {

using Xbyak::Zmm;

// Masked loads: a table shorter than its registers is not read beyond its end.
void RegistersForm::start_walk() {
  std::int64_t begin = 0;
  for (const Vector& part : {a_.vec.table_low, a_.vec.table_high}) {
    if (table_bytes() <= begin) break;
    const auto left = static_cast<unsigned>(std::min<std::int64_t>(table_bytes() - begin, 64));
    a_.mov(a_.rax, ~std::uint64_t{0} >> (64 - left));
    a_.kmovq(a_.mask.spent, a_.rax);
    a_.vmovdqu8(part.z() | a_.mask.spent | a_.T_z,
                a_.ptr[a_.at.table + static_cast<std::size_t>(begin)]);
    begin += 64;
  }
  a_.uses_wide();
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
