// Elements moved as vectors: by gather and scatter instructions, from a table in registers, spread
// over evenly spaced places, or in batches that combine.
#include <bit>

#include "jit/xbyak/emitter.h"
#include "jit/xbyak/vectors.h"

namespace pto::jit::xbyak {

using Xbyak::Opmask;
using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

constexpr int kTable = static_cast<int>(Held::Table);
constexpr int kTile = static_cast<int>(Held::Tile);

}  // namespace

// A gather reads 32 bits, also for smaller elements: from how many of the last slots it must not.
std::int64_t Emitter::slots_short() const {
  if (strategy_.form != UnitForm::Gather) return 0;
  return (4 - plan_.element_size) / plan_.digits[0].step.factor;
}

void Emitter::keep_vector_limits() {
  if (strategy_.form == UnitForm::Gather || strategy_.form == UnitForm::Scatter) {
    a_.mov(a_.eax, 0x80000000);
    broadcast(kBias);
  }
  if (strategy_.form == UnitForm::Gather && narrowing() > 1) {
    a_.load(a_.rax, plan_.capacity);
    a_.sub(a_.rax, static_cast<int>(1 + slots_short()));
    broadcast(kReach);
  }
  if (strategy_.form == UnitForm::Registers && narrowing() > 1) {
    a_.mov(a_.eax, 31);
    broadcast(kLow);
  }
}

// The mask of live lanes, in a register of its own that an instruction may use up.
Opmask Emitter::spent_mask(const Mask& live) {
  if (live.kind == Mask::Kind::Vector) {
    a_.kmovw(a_.k3, a_.k2);
  } else if (is_rest_) {
    a_.kmovw(a_.k3, a_.k1);
  } else {
    a_.kxnorw(a_.k3, a_.k3, a_.k3);
  }
  return a_.k3;
}

Emitter::Value Emitter::gather(const Index& far, const Mask& live) {
  as_vector(far, kWork);
  switch (strategy_.form) {
    case UnitForm::Registers: return looked_up();
    case UnitForm::Batches: return loaded_lanes(far);
    case UnitForm::Gather:
    case UnitForm::Scatter:
    case UnitForm::Spread:
    case UnitForm::Lanes: return gathered(far, live);
  }
  __builtin_unreachable();
}

// Lanes are signed to a gather; the bias makes up for it. Smaller elements are read with their
// neighbours and shifted down; near the table's end the neighbours are those before.
Emitter::Value Emitter::gathered(const Index& far, const Mask& live) {
  const auto scale = static_cast<int>(far.step.factor);
  int from = kWork;
  if (narrowing() > 1) {
    a_.vpminud(Zmm(kSpare), Zmm(kWork), Zmm(kReach));
    a_.vpsubd(Zmm(kShift), Zmm(kWork), Zmm(kSpare));
    from = kSpare;
  }
  a_.vpxor(Xmm(kTable), Xmm(kTable), Xmm(kTable));
  if (strategy_.avx512) {
    a_.vpxord(Zmm(kSpare), Zmm(from), Zmm(kBias));
    const Opmask mask = spent_mask(live);
    a_.vpgatherdd(Zmm(kTable) | mask, a_.ptr[biased_.reg() + Zmm(kSpare) * scale]);
  } else {
    a_.vpxor(Ymm(kSpare), Ymm(from), Ymm(kBias));
    live.kind == Mask::Kind::Vector ? a_.vmovdqa(Ymm(2), Ymm(kLive))
                                    : a_.vpcmpeqd(Ymm(2), Ymm(2), Ymm(2));
    a_.vpgatherdd(Ymm(kTable), a_.ptr[biased_.reg() + Ymm(kSpare) * scale], Ymm(2));
  }
  if (narrowing() > 1) {
    const auto bits = static_cast<std::uint8_t>(3 + std::countr_zero(static_cast<unsigned>(scale)));
    a_.vpslld(Zmm(kShift), Zmm(kShift), bits);
    a_.vpsrlvd(Zmm(kTable), Zmm(kTable), Zmm(kShift));
  }
  return Held::Table;
}

// Masked loads: a table shorter than its registers is not read beyond its end.
void Emitter::load_table_registers() {
  const std::int64_t bytes = plan_.capacity.factor * plan_.element_size;
  for (const int vector : {kTableLow, kTableHigh}) {
    const std::int64_t begin = (vector - kTableLow) * 64;
    if (bytes <= begin) break;
    const auto left = static_cast<unsigned>(std::min<std::int64_t>(bytes - begin, 64));
    a_.mov(a_.rax, ~std::uint64_t{0} >> (64 - left));
    a_.kmovq(a_.k3, a_.rax);
    a_.vmovdqu8(Zmm(vector) | a_.k3 | a_.T_z,
                a_.ptr[a_.at.table + static_cast<std::size_t>(begin)]);
  }
  a_.uses_wide();
}

Emitter::Value Emitter::looked_up() {
  const Zmm value(kTable);
  const auto per_lane =
      static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(narrowing())));
  per_lane > 0 ? a_.vpsrld(value, Zmm(kWork), per_lane) : a_.vmovdqa32(value, Zmm(kWork));
  const bool is_one = plan_.capacity.factor * plan_.element_size <= 64;
  is_one ? a_.vpermd(value, value, Zmm(kTableLow))
         : a_.vpermi2d(value, Zmm(kTableLow), Zmm(kTableHigh));
  if (per_lane > 0) {
    a_.vpslld(Zmm(kShift), Zmm(kWork), static_cast<std::uint8_t>(5 - per_lane));
    a_.vpandd(Zmm(kShift), Zmm(kShift), Zmm(kLow));
    a_.vpsrlvd(value, value, Zmm(kShift));
  }
  if (plan_.oob == Oob::Zero) a_.vmovdqa32(value | a_.k2 | a_.T_z, value);
  return Held::Table;
}

// Halves from the places of a batch, widened.
Emitter::Value Emitter::loaded_lanes(const Index& far) {
  for (int lane = 0; lane < lanes_; lane += 2) {
    const LanePair pair = lane_pair(far, lane);
    for (int i = 0; i < 2; ++i) {
      a_.vpinsrw(Xmm(kTable), Xmm(kTable),
                 a_.word[table_at(far, pair[static_cast<std::size_t>(i)])],
                 static_cast<std::uint8_t>(lane + i));
    }
  }
  elements_.widen(Held::Table);
  return Held::Table;
}

Emitter::Value Emitter::load_tiles(const Position&) {
  if (strategy_.form == UnitForm::Spread) return widened_tiles();
  if (strategy_.form == UnitForm::Batches) return loaded(Held::Tile, tile_here());
  const Zmm value(kTile);
  is_rest_ ? a_.vmovdqu32(value | a_.k1 | a_.T_z, a_.ptr[tile_here()])
           : a_.vmovdqu32(value, a_.ptr[tile_here()]);
  return Held::Tile;
}

// Whole vectors are stored as they are, smaller elements from the low end of their lanes.
void Emitter::store_tiles(const Position&, Value value, const Mask& where) {
  const bool is_partial = where.kind == Mask::Kind::Vector;
  Xbyak::Address to = a_.ptr[tile_here()];
  const int vector = static_cast<int>(value);
  if (!strategy_.avx512) {
    return is_partial ? a_.vpmaskmovd(to, Ymm(kLive), Ymm(vector)) : a_.vmovdqu(to, Ymm(vector));
  }
  if (is_partial || is_rest_) to = to | (is_partial ? a_.k2 : a_.k1);
  switch (plan_.element_size) {
    case 1: return a_.vpmovdb(to, Zmm(vector));
    case 2: return a_.vpmovdw(to, Zmm(vector));
    default: return a_.vmovdqu32(to, Zmm(vector));
  }
}

void Emitter::scatter(const Index& far, Value value, const Mask& live) {
  if (strategy_.form == UnitForm::Spread) return store_spread();
  if (strategy_.form == UnitForm::Batches) return store_lanes(far, value);
  as_vector(far, kWork);
  a_.vpxord(Zmm(kSpare), Zmm(kWork), Zmm(kBias));
  const Opmask mask = spent_mask(live);
  const auto scale = static_cast<int>(far.step.factor);
  a_.vpscatterdd(a_.ptr[biased_.reg() + Zmm(kSpare) * scale] | mask, Zmm(static_cast<int>(value)));
}

void Emitter::store_lanes(const Index& far, Value value) {
  elements_.narrow(value);
  for (int lane = 0; lane < lanes_; lane += 2) {
    const LanePair pair = lane_pair(far, lane);
    for (int i = 0; i < 2; ++i) {
      a_.vpextrw(a_.word[table_at(far, pair[static_cast<std::size_t>(i)])],
                 Xmm(static_cast<int>(value)), static_cast<std::uint8_t>(lane + i));
    }
  }
}

// A batch with a lane that does not count is none.
void Emitter::jump_if_lanes_meet(const Index& far, const Mask& live, Xbyak::Label& meet) {
  as_vector(far, kWork);
  if (live.kind == Mask::Kind::Vector) {
    a_.kmovw(a_.eax, a_.k2);
    a_.cmp(a_.eax, (1 << lanes_) - 1);
    a_.jne(meet, Assembler::T_NEAR);
  }
  a_.vpconflictd(Ymm(kSpare), Ymm(kWork));
  a_.vptest(Ymm(kSpare), Ymm(kSpare));
  a_.jnz(meet, Assembler::T_NEAR);
}

// Elements widened to the distance they are to have, and moved to their position in it.
Emitter::Value Emitter::widened_tiles() {
  const int widened = spread_of(plan_) * plan_.element_size;
  const Xmm wide = strategy_.avx512 && widened <= 8 ? Xmm(Zmm(kTile)) : Xmm(Ymm(kTile));
  const Xmm to = is_rest_ ? wide | a_.k1 | a_.T_z : wide;
  const Xbyak::Address from = a_.ptr[tile_here()];
  const auto shift = static_cast<std::uint8_t>(plan_.table_base % 8 * 8);
  a_.uses_wide();
  switch (plan_.element_size) {
    case 1: widened == 2 ? a_.vpmovzxbw(to, from) : a_.vpmovzxbd(to, from); break;
    case 2: widened == 4 ? a_.vpmovzxwd(to, from) : a_.vpmovzxwq(to, from); break;
    default: a_.vpmovzxdq(to, from); break;
  }
  if (shift == 0) return Held::Tile;
  switch (widened) {
    case 2: a_.vpsllw(wide, wide, shift); break;
    case 4: a_.vpslld(wide, wide, shift); break;
    default: a_.vpsllq(wide, wide, shift); break;
  }
  return Held::Tile;
}

// Sixteen bytes an element take two vectors, every other half of them zero.
void Emitter::store_spread() {
  const int widened = spread_of(plan_) * plan_.element_size;
  const std::int64_t here = std::int64_t{turn_} * strategy_.group * widened - plan_.table_base;
  const auto at = [&](int offset) {
    return a_.ptr[a_.at.table + static_cast<std::size_t>(here + offset)];
  };
  if (widened > 8) {
    const int halves = plan_.table_base < 8 ? 0x33 : 0xcc;
    a_.vpxor(Xmm(4), Xmm(4), Xmm(4));
    a_.vpermq(Ymm(2), Ymm(kTile), 0x50);
    a_.vpermq(Ymm(3), Ymm(kTile), 0xfa);
    a_.vpblendd(Ymm(2), Ymm(4), Ymm(2), static_cast<std::uint8_t>(halves));
    a_.vpblendd(Ymm(3), Ymm(4), Ymm(3), static_cast<std::uint8_t>(halves));
    a_.vmovdqu(at(0), Ymm(2));
    return a_.vmovdqu(at(32), Ymm(3));
  }
  if (!strategy_.avx512) return a_.vmovdqu(at(0), Ymm(kTile));
  const Xbyak::Address to = is_rest_ ? at(0) | a_.k1 : at(0);
  switch (widened) {
    case 2: return a_.vmovdqu16(to, Zmm(kTile));
    case 4: return a_.vmovdqu32(to, Zmm(kTile));
    default: return a_.vmovdqu64(to, Zmm(kTile));
  }
}

// Whether spread vectors leave nothing of what is to be cleared first.
bool Emitter::spreads_everything() const {
  if (strategy_.form != UnitForm::Spread || plan_.level_count != 1 || has_singles()) return false;
  const Level& level = plan_.levels[0];
  return (level.extent * level.table_step).is(plan_.fill_bytes);
}

}  // namespace pto::jit::xbyak
