#include "jit/backends/xbyak/forms/spread.h"

#include <algorithm>

#include "jit/backends/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;

// For sixteen bytes an element: which element each lane of a vector takes, and which lanes do.
void SpreadForm::keep_constants() {
  if (!is_permuted()) return;
  const Xmm bytes = a_.vec.quarters.x();
  a_.uses_wide();
  a_.mov(a_.rax, 0x0101010100000000);
  a_.vmovq(bytes, a_.rax);
  a_.mov(a_.rax, 0x0303030302020202);
  a_.vpinsrq(bytes, bytes, a_.rax, 1);
  a_.vpmovzxbd(a_.vec.quarters.z(), bytes);
  a_.mov(a_.eax, 0x1111 << plan_.table_base / plan_.element_size);
  a_.kmovd(a_.mask.places, a_.eax);
}

// How many of a level's positions its vectors fill; without masks single elements are left.
std::int64_t SpreadForm::at_once(const Level& level) const {
  return &level == &innermost_ && !strategy_.masks_rest ? strategy_.group : 1;
}

// rdx: how many they fill. Rows without columns are none.
void SpreadForm::load_filled(const Level& level) {
  a_.load(a_.rdx, level.extent);
  if (at_once(level) > 1) a_.and_(a_.rdx, -strategy_.group);
  if (&level == &innermost_ || innermost_.extent.is_static()) return;
  a_.load(a_.rax, innermost_.extent);
  a_.test(a_.rax, a_.rax);
  a_.cmovz(a_.rdx, a_.rax);
}

void SpreadForm::clear_rest(const Reg64& to, const Level& level, std::int64_t bytes) {
  const std::int64_t step = level.table_step.factor;
  if (level.extent.is_static() && innermost_.extent.is_static()) {
    const std::int64_t filled = level.extent.factor / at_once(level) * at_once(level) * step;
    if (filled >= bytes) return;  // more where no values would be legal
    a_.add_amount(to, filled);
    return clear_run(a_, to, bytes - filled, plan_.element_size);
  }
  a_.serving(Purpose::ClearsEarly, [&] {
    load_filled(level);
    a_.load_constant(a_.rax, step);
    a_.imul(a_.rdx, a_.rax);
  });
  a_.add(to, a_.rdx);
  a_.load_constant(a_.rax, bytes);
  const auto pieces = static_cast<std::uint64_t>(bytes | at_once(level) * step);
  a_.serving(Purpose::ClearsFar, [&] {
    a_.sub(a_.rax, a_.rdx);
    clear_counted(a_, to, static_cast<int>(std::min<std::uint64_t>(pieces & (~pieces + 1), 64)));
  });
}

void SpreadForm::clear_behind(const Reg64& to) {
  clear_rest(to, plan_.levels[0], plan_.fill_bytes);
}

void SpreadForm::start_groups() {
  if (plan_.level_count == 1) return;
  const Loan to = a_.take();
  a_.lea(to.reg(), table_of({}, 0));
  clear_rest(to.reg(), innermost_, plan_.levels[0].table_step.factor);
}

// Elements widened to the distance they are to have, and moved to their position in it.
Value SpreadForm::load_tiles(const Position& at) {
  const Xmm wide = a_.vec.tile.of(at.group.lanes * std::min(widened(), 8));
  const Xmm to = at.group.is_rest ? wide | a_.mask.rest | a_.T_z : wide;
  const Xbyak::Address from = a_.ptr[tile_of(at.group)];
  const auto shift = static_cast<std::uint8_t>(plan_.table_base % 8 * 8);
  a_.uses_wide();
  if (is_permuted()) {
    const Xbyak::Zmm all = a_.vec.tile.z();
    a_.vmovdqu32(at.group.is_rest ? a_.vec.tile.x() | a_.mask.rest | a_.T_z : a_.vec.tile.x(),
                 from);
    a_.vpermd(all | a_.mask.places | a_.T_z, a_.vec.quarters.z(), all);
    return {.held = Held::Tile};
  }
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
  if (widened() > 8 && !is_permuted()) return store_halves(far.group);
  const Vector from = vector_of(value);
  Xbyak::Address to = table_of(far.group, 0);
  if (!strategy_.avx512) return a_.vmovdqu(to, from.y());
  if (far.group.is_rest) to = to | (is_permuted() ? rest_of_stores() : a_.mask.rest);
  switch (widened()) {
    case 2: return a_.vmovdqu16(to, from.z());
    case 4: return a_.vmovdqu32(to, from.z());
    default: return a_.vmovdqu64(to, from.z());
  }
}

// Two halves of a vector for each element that is left.
Xbyak::Opmask SpreadForm::rest_of_stores() {
  a_.lea(a_.edx, a_.ptr[a_.at.count + a_.at.count]);
  a_.mov(a_.eax, -1);
  a_.bzhi(a_.eax, a_.eax, a_.edx);
  a_.kmovd(a_.mask.spent, a_.eax);
  return a_.mask.spent;
}

// Without masks sixteen bytes an element take two vectors, every other half of them zero.
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
