// Whole groups of indices: the loops over them, and their numbers resolved as vectors of 32-bit
// lanes, then taken apart two by two.
#include <bit>

#include "jit/xbyak/emitter.h"
#include "jit/xbyak/vectors.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

// A multiplication of lanes must not overflow them.
bool offsets_fit_lanes(const KernelPlan& plan, const Amount& step) {
  constexpr std::int64_t kLanes = std::int64_t{1} << 32;
  if (plan.oob == Oob::Undefined || !plan.capacity.is_static() || !step.is_static()) return false;
  return plan.capacity.factor <= kLanes / std::max<std::int64_t>(step.factor, 1);
}

bool is_power_of_two(const Amount& amount) {
  return amount.is_static() && std::has_single_bit(static_cast<std::uint64_t>(amount.factor));
}

}  // namespace

bool Emitter::has_groups() const {
  const bool fits = !plan_.capacity.is_static() || plan_.capacity.factor <= 0xffffffff ||
                    plan_.oob == Oob::Undefined;
  return strategy_.group > 1 && fits && (masks_rest() || has_whole_groups());
}

bool Emitter::has_whole_groups() const {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  return !extent.is_static() || extent.factor >= strategy_.group;
}

bool Emitter::leaves_some() const {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  return !extent.is_static() || extent.factor % strategy_.group != 0;
}

// Runtime capacities may be beyond 32 bits, or too small for what a gather reads.
bool Emitter::may_refuse_groups() const {
  return plan_.has_index() && !plan_.capacity.is_static() &&
         (plan_.oob != Oob::Undefined || slots_short() > 0);
}

bool Emitter::has_singles() const {
  if (!has_groups() || may_refuse_groups()) return true;
  return !masks_rest() && leaves_some();
}

bool Emitter::masks_rest() const {
  if (!strategy_.avx512) return false;
  switch (strategy_.form) {
    case UnitForm::Gather:
    case UnitForm::Scatter:
    case UnitForm::Registers: return true;
    case UnitForm::Spread: return spread_of(plan_) * plan_.element_size <= 8;
    case UnitForm::Lanes:
    case UnitForm::Batches: return false;
  }
  __builtin_unreachable();
}

Xmm Emitter::lanes_in(int vector) const {
  if (lanes_ > 8) return Zmm(vector);
  if (lanes_ > 4) return Ymm(vector);
  return Xmm(vector);
}

// eax in all lanes of a vector.
void Emitter::broadcast(int to) {
  a_.uses_wide();
  if (strategy_.avx512) return a_.vpbroadcastd(Zmm(to), a_.eax);
  a_.vmovd(Xmm(to), a_.eax);
  a_.vpbroadcastd(Ymm(to), Xmm(to));
}

// What lanes are compared with.
void Emitter::keep_limits() {
  if (!has_groups()) return;
  keep_vector_limits();
  if (plan_.oob == Oob::Undefined) return;
  a_.load(a_.rax, plan_.capacity);
  const bool is_masked = plan_.oob == Oob::Wrap && is_power_of_two(plan_.capacity);
  if (plan_.oob == Oob::Clamp || is_masked) {
    a_.dec(a_.rax);
    return broadcast(kLast);
  }
  broadcast(kLimit);
  if (plan_.oob == Oob::Wrap && strategy_.avx512) keep_wrap();
}

// rax: the capacity. It and its inverse as doubles, which hold every index exactly.
void Emitter::keep_wrap() {
  a_.vcvtsi2sd(Xmm(kDivisor), Xmm(kWork), a_.rax);
  a_.mov(a_.eax, 1);
  a_.vcvtsi2sd(Xmm(kInverse), Xmm(kWork), a_.rax);
  a_.vdivsd(Xmm(kInverse), Xmm(kInverse), Xmm(kDivisor));
  a_.vbroadcastsd(Zmm(kDivisor), Xmm(kDivisor));
  a_.vbroadcastsd(Zmm(kInverse), Xmm(kInverse));
}

void Emitter::start_groups(Xbyak::Label& singles, Xbyak::Label& rest) {
  if (may_refuse_groups()) {
    a_.mov(a_.rdx, a_[a_.slot_of(plan_.capacity)]);
    a_.mov(a_.eax, 0xffffffff);
    a_.cmp(a_.rdx, a_.rax);
    a_.ja(singles, Assembler::T_NEAR);
    if (slots_short() > 0) {
      a_.cmp(a_.rdx, static_cast<int>(slots_short()));
      a_.jbe(singles, Assembler::T_NEAR);
    }
  }
  if (strategy_.form == UnitForm::Gather || strategy_.form == UnitForm::Scatter) {
    biased_ = a_.take();
    a_.mov(biased_.reg(), plan_.digits[0].step.factor << 31);
    a_.add(biased_.reg(), a_.at.table);
  }
  if (strategy_.prefetch > 0) start_prefetch();
  if (!plan_.digits[0].step.is_static()) {
    pitch_ = a_.take();
    a_.load(pitch_.reg(), plan_.digits[0].step);
  }
  if (!plan_.levels[plan_.level_count - 1].extent.is_static() && !repeats_groups()) {
    a_.cmp(a_.at.count, strategy_.group);
    a_.jb(rest, Assembler::T_NEAR);
  }
}

// Vectors are short enough to write several groups of them in one go.
bool Emitter::repeats_groups() const {
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  const bool is_long = !extent.is_static() || extent.factor >= kTurns * strategy_.group;
  return is_long && (strategy_.form == UnitForm::Gather || strategy_.form == UnitForm::Registers ||
                     strategy_.form == UnitForm::Spread);
}

// Leaves for `fewer` when there are not that many groups; whether there can be.
bool Emitter::start_turns(int turns, Xbyak::Label& fewer) {
  if (turns == 1 && !repeats_groups()) return true;
  const Amount& extent = plan_.levels[plan_.level_count - 1].extent;
  const std::int64_t many = kTurns * strategy_.group;
  if (turns == 1 && extent.is_static() && extent.factor % many < strategy_.group) return false;
  if (extent.is_static()) return true;
  a_.cmp(a_.at.count, turns * strategy_.group);
  a_.jb(fewer, Assembler::T_NEAR);
  return true;
}

void Emitter::leave_groups() {
  biased_ = {};
  pitch_ = {};
}

// The lanes that are left, in k1.
void Emitter::start_rest(Xbyak::Label& done) {
  if (!plan_.levels[plan_.level_count - 1].extent.is_static()) {
    a_.test(a_.at.count, a_.at.count);
    a_.jz(done, Assembler::T_NEAR);
  }
  a_.mov(a_.eax, -1);
  a_.bzhi(a_.eax, a_.eax, a_.at.count.cvt32());
  a_.kmovd(a_.k1, a_.eax);
}

void Emitter::step_groups(int turns, Xbyak::Label& again) {
  const Level& here = plan_.levels[plan_.level_count - 1];
  const int indices = strategy_.group * turns;
  if (plan_.has_index()) a_.add_amount(a_.at.index, here.index_step * indices);
  a_.add_amount(a_.at.tile, here.tile_step * indices);
  if (!plan_.has_index()) a_.add_amount(a_.at.table, here.table_step * indices);
  a_.sub(a_.at.count, indices);
  a_.cmp(a_.at.count, indices);
  a_.jae(again, Assembler::T_NEAR);
}

// Where the group at hand begins.
Xbyak::RegExp Emitter::index_here() const {
  return a_.at.index + static_cast<std::size_t>(turn_ * strategy_.group * plan_.index_size);
}
Xbyak::RegExp Emitter::tile_here() const {
  const std::int64_t step = plan_.levels[plan_.level_count - 1].tile_step.factor;
  return a_.at.tile + static_cast<std::size_t>(turn_ * strategy_.group * step);
}

// 16 lanes fill a zmm, 8 a ymm, 4 an xmm.
void Emitter::as_vector(const Index& index, int to) {
  if (index.in == Index::In::Vector || has_lanes_) return;
  has_lanes_ = true;
  const Xmm lanes = is_rest_ ? lanes_in(to) | a_.k1 | a_.T_z : lanes_in(to);
  const Xbyak::Address from = a_.ptr[index_here()];
  if (plan_.index_size == 2) return a_.vpmovzxwd(lanes, from);
  strategy_.avx512 ? a_.vmovdqu32(lanes, from) : a_.vmovdqu(lanes, from);
}

Emitter::Index Emitter::clamped_group(const Index& index) {
  as_vector(index, kWork);
  a_.vpminud(lanes_in(kWork), lanes_in(kWork), lanes_in(kLast));
  return {Index::In::Vector, {}, kWork, 1};
}

// Lanes at or beyond the capacity, as bits; for vectors, those below.
Emitter::Mask Emitter::below_group(const Index& index) {
  as_vector(index, kWork);
  Mask mask{moves_vectors() ? Mask::Kind::Vector : Mask::Kind::Lanes, {}, {}, {}, false};
  if (moves_vectors() && strategy_.avx512) {
    const Xbyak::Opmask live = is_rest_ ? a_.k2 | a_.k1 : a_.k2;
    a_.vpcmpud(live, lanes_in(kWork), lanes_in(kLimit), 1);
    return mask;
  }
  a_.vpmaxud(lanes_in(kSpare), lanes_in(kWork), lanes_in(kLimit));
  a_.vpcmpeqd(lanes_in(kSpare), lanes_in(kSpare), lanes_in(kWork));
  if (moves_vectors()) {
    a_.vpcmpeqd(Ymm(kLive), Ymm(kLive), Ymm(kLive));
    a_.vpandn(Ymm(kLive), Ymm(kSpare), Ymm(kLive));
    return mask;
  }
  mask.dead = a_.take();
  a_.vmovmskps(mask.dead.low(), lanes_in(kSpare));
  return mask;
}

// In-range lanes stay as they are; a group with a stray lane is divided.
Emitter::Index Emitter::wrapped_group(const Index& index, const Amount& capacity) {
  as_vector(index, kWork);
  const Index out{Index::In::Vector, {}, kWork, 1};
  if (is_power_of_two(capacity)) {
    strategy_.avx512 ? a_.vpandd(lanes_in(kWork), lanes_in(kWork), lanes_in(kLast))
                     : a_.vpand(lanes_in(kWork), lanes_in(kWork), lanes_in(kLast));
    return out;
  }
  Xbyak::Label inside;
  if (strategy_.avx512) {
    a_.vpcmpud(a_.k3, lanes_in(kWork), lanes_in(kLimit), 5);
    a_.kortestw(a_.k3, a_.k3);
  } else {
    a_.vpmaxud(lanes_in(kSpare), lanes_in(kWork), lanes_in(kLimit));
    a_.vpcmpeqd(lanes_in(kSpare), lanes_in(kSpare), lanes_in(kWork));
    a_.vptest(lanes_in(kSpare), lanes_in(kSpare));
  }
  a_.jz(inside, Assembler::T_NEAR);
  strategy_.avx512 ? repair_wrap_wide(kWork) : repair_wrap(kWork, capacity);
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

// Eight lanes at a time as doubles. The quotient is right or, for a multiple of the divisor, one
// too small, which the remainder shows: it is never too large, for its error is far below 1 /
// divisor.
void Emitter::repair_wrap_wide(int vector) {
  const Zmm number(2), quotient(3), divisor(kDivisor);
  for (std::uint8_t half = 0; half < (lanes_ > 8 ? 2 : 1); ++half) {
    half == 0 ? a_.vmovdqa(Ymm(2), Ymm(vector)) : a_.vextracti64x4(Ymm(2), Zmm(vector), 1);
    a_.vcvtudq2pd(number, Ymm(2));
    a_.vmulpd(quotient, number, Zmm(kInverse));
    a_.vrndscalepd(quotient, quotient, 3);
    a_.vfnmadd231pd(number, quotient, divisor);
    a_.vcmppd(a_.k3, number, divisor, 13);
    a_.vsubpd(number | a_.k3, number, divisor);
    a_.vcvttpd2udq(Ymm(2), number);
    half == 0 && lanes_ <= 8 ? a_.vmovdqa(Ymm(vector), Ymm(2))
    : half == 0              ? a_.vinserti64x4(Zmm(vector), Zmm(vector), Ymm(2), 0)
                             : a_.vinserti64x4(Zmm(vector), Zmm(vector), Ymm(2), 1);
  }
}

// A group's lanes are multiplied at once when that cannot overflow, else when they are taken apart.
Emitter::Index Emitter::scaled_group(const Index& index, const Amount& step) {
  Index out = index;
  out.step = step;
  if (moves_vectors() || index.in != Index::In::Vector || !offsets_fit_lanes(plan_, step))
    return out;
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor <= 8 || !std::has_single_bit(factor)) return out;
  a_.vpslld(lanes_in(kWork), lanes_in(kWork), static_cast<std::uint8_t>(std::countr_zero(factor)));
  out.step = 1;
  return out;
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
  if (far.in == Index::In::Memory && !plan_.unit.run.is(plan_.element_size)) {
    a_.mov(first.cvt32(), a_.dword[a_.at.index + offset]);
    a_.mov(second.cvt32(), a_.dword[a_.at.index + offset + 4]);
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
