#include "jit/xbyak/forms/spread.h"

#include <algorithm>

namespace pto::jit::xbyak {

using Xbyak::Xmm;
using Xbyak::Ymm;

// Elements widened to the distance they are to have, and moved to their position in it.
Value SpreadForm::load_tiles(const Position& at) {
  const Xmm wide = a_.vec.tile.of(at.group.lanes * std::min(widened(), 8));
  const Xmm to = at.group.is_rest ? wide | a_.mask.rest | a_.T_z : wide;
  const Xbyak::Address from = a_.ptr[tile_of(at.group)];
  const auto shift = static_cast<std::uint8_t>(plan_.table_base % 8 * 8);
  a_.uses_wide();
  switch (plan_.element_size) {
    case 1: widened() == 2 ? a_.vpmovzxbw(to, from) : a_.vpmovzxbd(to, from); break;
    case 2: widened() == 4 ? a_.vpmovzxwd(to, from) : a_.vpmovzxwq(to, from); break;
    default: a_.vpmovzxdq(to, from); break;
  }
  if (shift == 0) return {.held = Held::Tile};
  switch (widened()) {
    case 2: a_.vpsllw(wide, wide, shift); break;
    case 4: a_.vpslld(wide, wide, shift); break;
    default: a_.vpsllq(wide, wide, shift); break;
  }
  return {.held = Held::Tile};
}

Xbyak::Address SpreadForm::table_of(const Group& group, int offset) {
  const std::int64_t here = std::int64_t{group.turn} * group.lanes * widened() - plan_.table_base;
  return a_.ptr[a_.at.table + static_cast<std::size_t>(here + offset)];
}

void SpreadForm::scatter(const Index& far, Value value, const Mask&) {
  if (widened() > 8) return store_halves(far.group);
  const Vector from = vector_of(value);
  Xbyak::Address to = table_of(far.group, 0);
  if (!strategy_.avx512) return a_.vmovdqu(to, from.y());
  if (far.group.is_rest) to = to | a_.mask.rest;
  switch (widened()) {
    case 2: return a_.vmovdqu16(to, from.z());
    case 4: return a_.vmovdqu32(to, from.z());
    default: return a_.vmovdqu64(to, from.z());
  }
}

// Sixteen bytes an element take two vectors, every other half of them zero.
void SpreadForm::store_halves(const Group& group) {
  const Ymm from = a_.vec.tile.y();
  const Ymm low = a_.vec.first.y();
  const Ymm high = a_.vec.second.y();
  const Vector zero = a_.vec.zero;
  const auto halves = static_cast<std::uint8_t>(plan_.table_base < 8 ? 0x33 : 0xcc);
  a_.vpxor(zero.x(), zero.x(), zero.x());
  a_.vpermq(low, from, 0x50);
  a_.vpermq(high, from, 0xfa);
  a_.vpblendd(low, zero.y(), low, halves);
  a_.vpblendd(high, zero.y(), high, halves);
  a_.vmovdqu(table_of(group, 0), low);
  a_.vmovdqu(table_of(group, 32), high);
}

}  // namespace pto::jit::xbyak
