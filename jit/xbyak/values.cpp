#include "jit/xbyak/values.h"

namespace pto::jit::xbyak {

Mask inverted(const Mask& mask) {
  Mask out = mask;
  out.is_inverted = !mask.is_inverted;
  return out;
}

void jump_if_not(Assembler& a, const Mask& mask, int lane, Xbyak::Label& to) {
  switch (mask.kind) {
    case Mask::Kind::Always:
      if (mask.is_inverted) a.jmp(to, Assembler::T_NEAR);
      return;
    case Mask::Kind::Below:
      a.compare(mask.value.reg.reg(), mask.limit);
      return mask.is_inverted ? a.jb(to, Assembler::T_NEAR) : a.jae(to, Assembler::T_NEAR);
    case Mask::Kind::Flag:
      a.test(mask.value.reg.low(), mask.value.reg.low());
      return mask.is_inverted ? a.jnz(to, Assembler::T_NEAR) : a.jz(to, Assembler::T_NEAR);
    case Mask::Kind::Vector:  // of a group that is taken apart after all
      a.kmovw(a.eax, a.mask.live);
      a.test(a.eax, 1 << lane);
      return mask.is_inverted ? a.jnz(to, Assembler::T_NEAR) : a.jz(to, Assembler::T_NEAR);
    case Mask::Kind::Lanes:
      a.test(mask.dead.low(), 1 << lane);
      return mask.is_inverted ? a.jz(to, Assembler::T_NEAR) : a.jnz(to, Assembler::T_NEAR);
  }
}

Place moved(const Place& place, std::int64_t table, std::int64_t tile) {
  Place out = place;
  out.table = out.table + static_cast<std::size_t>(table);
  out.tile = out.tile + static_cast<std::size_t>(tile);
  return out;
}

}  // namespace pto::jit::xbyak
