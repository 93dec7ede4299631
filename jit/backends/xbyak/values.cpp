#include "jit/backends/xbyak/values.h"

namespace pto::jit::xbyak {

Mask inverted(const Mask& mask) {
  Mask out = mask;
  out.is_inverted = !mask.is_inverted;
  return out;
}

bool carry_if_counts(Assembler& a, const Mask& mask, int lane) {
  switch (mask.kind) {
    case Mask::Kind::Always:
    case Mask::Kind::Numbers: a.stc(); break;  // which is found out later
    case Mask::Kind::Below: a.compare(mask.value.reg.reg(), mask.limit); break;
    case Mask::Kind::Flag: a.bt(mask.value.reg.low(), 0); break;
    case Mask::Kind::Vector:  // of a group that is taken apart after all
      a.kmovw(a.eax, a.mask.live);
      a.bt(a.eax, static_cast<std::uint8_t>(lane));
      break;
    case Mask::Kind::Lanes: a.bt(mask.dead.low(), static_cast<std::uint8_t>(lane)); break;
  }
  return (mask.kind == Mask::Kind::Lanes) == mask.is_inverted;
}

void jump_if_not(Assembler& a, const Mask& mask, int lane, Label& to) {
  if (mask.kind == Mask::Kind::Always && !mask.is_inverted) return;
  carry_if_counts(a, mask, lane) ? a.jnc(to, Assembler::T_NEAR) : a.jc(to, Assembler::T_NEAR);
}

Place moved(const Place& place, std::int64_t table, std::int64_t tile) {
  Place out = place;
  out.table = out.table + static_cast<std::size_t>(table);
  out.tile = out.tile + static_cast<std::size_t>(tile);
  return out;
}

}  // namespace pto::jit::xbyak
