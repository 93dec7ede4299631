// Whole groups of indices: resolved as vectors of 32-bit lanes, then taken apart two by two.
#include <bit>

#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;

namespace {

constexpr int kWork = 8;    // the group's lanes
constexpr int kSpare = 9;   // what is worked out about them
constexpr int kLast = 14;   // capacity - 1, or the mask of a power of two
constexpr int kLimit = 15;  // capacity

}  // namespace

bool Emitter::has_groups() const {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  const bool is_enough = !extent.is_static() || extent.factor >= strategy_.group;
  const bool fits = !plan_.capacity.is_static() || plan_.capacity.factor <= 0xffffffff ||
                    plan_.oob == Oob::Undefined;
  return strategy_.group > 1 && is_enough && fits;
}

bool Emitter::has_singles() const {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  const bool is_whole = extent.is_static() && extent.factor % strategy_.group == 0;
  const bool may_refuse = plan_.oob != Oob::Undefined && !plan_.capacity.is_static();
  return !has_groups() || !is_whole || may_refuse;
}

// Broadcasts what lanes are compared with. Runtime capacities beyond 32 bits go one by one.
void Emitter::keep_limits() {
  if (plan_.oob == Oob::Undefined || !has_groups()) return;
  const auto broadcast = [&](int to) {
    a_.vmovd(Xmm(to), a_.eax);
    a_.vpbroadcastd(Ymm(to), Xmm(to));
    a_.uses_wide();
  };
  a_.load(a_.rax, plan_.capacity);
  broadcast(kLimit);
  a_.dec(a_.rax);
  broadcast(kLast);
}

void Emitter::start_groups(Xbyak::Label& singles) {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  if (!extent.is_static()) {
    a_.cmp(a_.at.count, strategy_.group);
    a_.jb(singles, Assembler::T_NEAR);
  }
  if (plan_.oob == Oob::Undefined || plan_.capacity.is_static()) return;
  a_.mov(a_.eax, 0xffffffff);
  a_.cmp(a_.rax, a_[a_.slot_of(plan_.capacity)]);
  a_.jb(singles, Assembler::T_NEAR);
}

void Emitter::step_group(Xbyak::Label& again) {
  const Level& here = plan_.levels[plan_.level_count - 1];
  a_.add_amount(a_.at.index, here.index_step * strategy_.group);
  a_.add_amount(a_.at.tile, here.tile_step * strategy_.group);
  a_.sub(a_.at.count, strategy_.group);
  a_.cmp(a_.at.count, strategy_.group);
  a_.jae(again, Assembler::T_NEAR);
}

// 8 lanes fill a ymm, 4 an xmm.
void Emitter::as_vector(const Index& index, int to) {
  const bool is_wide = lanes_ > 4;
  if (index.in == Index::In::Vector) {
    if (index.vector != to) a_.vmovdqa(Ymm(to), Ymm(index.vector));
  } else if (plan_.index_size == 2) {
    is_wide ? a_.vpmovzxwd(Ymm(to), a_.xword[a_.at.index])
            : a_.vpmovzxwd(Xmm(to), a_.qword[a_.at.index]);
  } else {
    is_wide ? a_.vmovdqu(Ymm(to), a_.yword[a_.at.index])
            : a_.vmovdqu(Xmm(to), a_.xword[a_.at.index]);
  }
}

Emitter::Index Emitter::clamped_group(const Index& index) {
  as_vector(index, kWork);
  a_.vpminud(Ymm(kWork), Ymm(kWork), Ymm(kLast));
  return {Index::In::Vector, {}, kWork, 1};
}

// Lanes at or beyond the capacity, as bits.
Emitter::Mask Emitter::below_group(const Index& index) {
  as_vector(index, kWork);
  Mask mask{Mask::Kind::Lanes, {}, {}, a_.take(), false};
  a_.vpmaxud(Ymm(kSpare), Ymm(kWork), Ymm(kLimit));
  a_.vpcmpeqd(Ymm(kSpare), Ymm(kSpare), Ymm(kWork));
  a_.vmovmskps(mask.dead.low(), Ymm(kSpare));
  return mask;
}

// In-range lanes stay as they are; a group with a stray lane is divided lane by lane.
Emitter::Index Emitter::wrapped_group(const Index& index, const Amount& capacity) {
  as_vector(index, kWork);
  const Index out{Index::In::Vector, {}, kWork, 1};
  const auto divisor = static_cast<std::uint64_t>(capacity.factor);
  if (capacity.is_static() && std::has_single_bit(divisor)) {
    a_.vpand(Ymm(kWork), Ymm(kWork), Ymm(kLast));
    return out;
  }
  Xbyak::Label inside;
  a_.vpmaxud(Ymm(kSpare), Ymm(kWork), Ymm(kLimit));
  a_.vpcmpeqd(Ymm(kSpare), Ymm(kSpare), Ymm(kWork));
  a_.vmovmskps(a_.eax, Ymm(kSpare));
  a_.test(a_.eax, (1 << lanes_) - 1);
  a_.jz(inside, Assembler::T_NEAR);
  repair_wrap(kWork, capacity);
  a_.L(inside);
  return out;
}

void Emitter::repair_wrap(int vector, const Amount& capacity) {
  for (int half = 0; half < lanes_ / 4; ++half) {
    a_.vextracti128(Xmm(kSpare), Ymm(vector), static_cast<std::uint8_t>(half));
    for (std::uint8_t lane = 0; lane < 4; ++lane) {
      const Index number{Index::In::Register, a_.take(), -1, 1};
      a_.vpextrd(number.reg.low(), Xmm(kSpare), lane);
      const Parts parts = divided(number, capacity);
      a_.vpinsrd(Xmm(kSpare), Xmm(kSpare), parts.remainder.reg.low(), lane);
    }
    a_.vinserti128(Ymm(vector), Ymm(vector), Xmm(kSpare), static_cast<std::uint8_t>(half));
  }
}

// Two neighbouring lanes in registers of their own; the one number when there is no group.
Emitter::LanePair Emitter::lane_pair(const Index& far, int lane) {
  if (far.in == Index::In::Walk) return {};
  if (far.in == Index::In::Register) return {far.reg, {}};
  LanePair pair{a_.take(), a_.take()};
  const Reg64 first = pair[0].reg();
  const Reg64 second = pair[1].reg();
  const auto offset = static_cast<std::size_t>(lane * plan_.index_size);
  if (far.in == Index::In::Memory && plan_.index_size == 2) {
    a_.movzx(first.cvt32(), a_.word[a_.at.index + offset]);
    a_.movzx(second.cvt32(), a_.word[a_.at.index + offset + 2]);
    return pair;
  }
  if (far.in == Index::In::Memory) {
    a_.mov(second, a_.qword[a_.at.index + offset]);
  } else {
    const bool is_upper = lane >= 4;
    if (is_upper && lane % 4 == 0) a_.vextracti128(Xmm(kSpare), Ymm(far.vector), 1);
    const Xmm from(is_upper ? kSpare : far.vector);
    lane % 4 == 0 ? a_.vmovq(second, from) : a_.vpextrq(second, from, 1);
  }
  a_.mov(first.cvt32(), second.cvt32());
  a_.shr(second, 32);
  return pair;
}

}  // namespace pto::jit::xbyak
