#include "jit/xbyak/lane_resolver.h"

#include <algorithm>
#include <bit>

namespace pto::jit::xbyak {

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

void broadcast(Assembler& a, Vector to) {
  a.uses_wide();
  if (a.isa.avx512) return a.vpbroadcastd(to.z(), a.eax);
  a.vmovd(to.x(), a.eax);
  a.serving(Purpose::AllLanes, [&] { a.vpbroadcastd(to.y(), to.x()); });
}

void LaneResolver::keep_limits() {
  if (plan_.oob == Oob::Undefined) return;
  a_.load(a_.rax, plan_.capacity);
  const bool is_masked = plan_.oob == Oob::Wrap && is_power_of_two(plan_.capacity);
  if (plan_.oob == Oob::Clamp || is_masked) {
    a_.dec(a_.rax);
    return broadcast(a_, a_.vec.last);
  }
  a_.serving(Purpose::Limit, [&] { broadcast(a_, a_.vec.limit); });
  if (plan_.oob == Oob::Wrap && strategy_.avx512) keep_wrap();
}

// rax: the capacity. It and its inverse as doubles, which hold every index exactly.
void LaneResolver::keep_wrap() {
  const Vector divisor = a_.vec.divisor;
  const Vector inverse = a_.vec.inverse;
  a_.vcvtsi2sd(divisor.x(), a_.vec.lanes.x(), a_.rax);
  a_.mov(a_.eax, 1);
  a_.vcvtsi2sd(inverse.x(), a_.vec.lanes.x(), a_.rax);
  a_.vdivsd(inverse.x(), inverse.x(), divisor.x());
  a_.vbroadcastsd(divisor.z(), divisor.x());
  a_.vbroadcastsd(inverse.z(), inverse.x());
}

// Where no policy looks at them, lanes taken one by one are read from memory, and a scatter has
// its elements loaded first.
Index LaneResolver::load(const Group& group) {
  const bool is_followed_later =
      strategy_.form == UnitForm::Lanes || strategy_.form == UnitForm::Scatter;
  const bool is_loaded = plan_.oob != Oob::Undefined || !is_followed_later;
  const bool is_for_test = strategy_.form == UnitForm::Batches && plan_.oob == Oob::Undefined;
  if (is_loaded) a_.serving_if(is_for_test, Purpose::WholeBatch, [&] { load_lanes(group); });
  return {.in = Index::In::Memory, .group = group, .is_loaded = is_loaded};
}

// 16 lanes fill a zmm, 8 a ymm, 4 an xmm.
void LaneResolver::load_lanes(const Group& group) {
  const Xmm to = group.is_rest ? lanes(group) | a_.mask.rest | a_.T_z : lanes(group);
  const Xbyak::Address from = a_.ptr[index_of(group)];
  if (plan_.index_size == 2) return a_.vpmovzxwd(to, from);
  strategy_.avx512 ? a_.vmovdqu32(to, from) : a_.vmovdqu(to, from);
}

Index LaneResolver::clamped(const Index& index) {
  const Group& group = index.group;
  a_.vpminud(lanes(group), lanes(group), in(a_.vec.last, group));
  return {.in = Index::In::Vector, .group = group, .is_loaded = true};
}

// All ones in `spare` where a lane is at or beyond the capacity.
void LaneResolver::find_outside(const Group& group) {
  const Xmm spare = in(a_.vec.spare, group);
  a_.vpmaxud(spare, lanes(group), in(a_.vec.limit, group));
  a_.serving(Purpose::StrayLanes, [&] { a_.vpcmpeqd(spare, spare, lanes(group)); });
}

Mask LaneResolver::below(const Index& index) {
  const Group& group = index.group;
  if (moves_vectors() && strategy_.avx512) {
    const Xbyak::Opmask live = group.is_rest ? a_.mask.live | a_.mask.rest : a_.mask.live;
    a_.vpcmpud(live, lanes(group), in(a_.vec.limit, group), 1);
    return {.kind = Mask::Kind::Vector};
  }
  find_outside(group);
  if (moves_vectors()) {
    const Ymm live = a_.vec.live.y();
    a_.vpcmpeqd(live, live, live);
    a_.vpandn(live, a_.vec.spare.y(), live);
    return {.kind = Mask::Kind::Vector};
  }
  const Mask mask{.kind = Mask::Kind::Lanes, .dead = a_.take()};
  a_.vmovmskps(mask.dead.low(), in(a_.vec.spare, group));
  return mask;
}

// In-range lanes stay as they are; a group with a stray lane is divided.
Index LaneResolver::wrapped(const Index& index, const Amount& capacity) {
  const Group& group = index.group;
  const Index out{.in = Index::In::Vector, .group = group, .is_loaded = true};
  if (is_power_of_two(capacity)) {
    const Xmm last = in(a_.vec.last, group);
    strategy_.avx512 ? a_.vpandd(lanes(group), lanes(group), last)
                     : a_.vpand(lanes(group), lanes(group), last);
    return out;
  }
  Xbyak::Label inside;
  if (strategy_.avx512) {
    a_.vpcmpud(a_.mask.spent, lanes(group), in(a_.vec.limit, group), 5);
    a_.serving(Purpose::StrayLanes, [&] { a_.kortestw(a_.mask.spent, a_.mask.spent); });
  } else {
    find_outside(group);
    a_.serving(Purpose::StrayLanes,
               [&] { a_.vptest(in(a_.vec.spare, group), in(a_.vec.spare, group)); });
  }
  a_.serving(Purpose::StrayLanes, [&] { a_.jz(inside, Assembler::T_NEAR); });
  strategy_.avx512 ? repair_wrap_wide(group) : repair_wrap(group, capacity);
  a_.L(inside);
  return out;
}

void LaneResolver::repair_wrap(const Group& group, const Amount& capacity) {
  const Ymm whole = a_.vec.lanes.y();
  const Xmm four = a_.vec.spare.x();
  for (int half = 0; half < group.lanes / 4; ++half) {
    a_.vextracti128(four, whole, static_cast<std::uint8_t>(half));
    for (std::uint8_t lane = 0; lane < 4; ++lane) {
      const Index number{.in = Index::In::Register, .reg = a_.take()};
      a_.vpextrd(number.reg.low(), four, lane);
      const Divided parts = resolver_.divided(number, capacity);
      a_.vpinsrd(four, four, parts.remainder.reg.low(), lane);
    }
    a_.vinserti128(whole, whole, four, static_cast<std::uint8_t>(half));
  }
}

// Eight lanes at a time as doubles. The quotient is right or, for a multiple of the divisor, one
// too small, which the remainder shows: it is never too large, for its error is far below 1 /
// divisor.
void LaneResolver::repair_wrap_wide(const Group& group) {
  const Vector all = a_.vec.lanes;
  const Vector eight = a_.vec.first;
  const Zmm number = eight.z();
  const Zmm quotient = a_.vec.second.z();
  const Zmm divisor = a_.vec.divisor.z();
  for (std::uint8_t half = 0; half < (group.lanes > 8 ? 2 : 1); ++half) {
    half == 0 ? a_.vmovdqa(eight.y(), all.y()) : a_.vextracti64x4(eight.y(), all.z(), 1);
    a_.vcvtudq2pd(number, eight.y());
    a_.vmulpd(quotient, number, a_.vec.inverse.z());
    a_.vrndscalepd(quotient, quotient, 3);
    a_.vfnmadd231pd(number, quotient, divisor);
    a_.serving(Purpose::ExactQuotient, [&] {
      a_.vcmppd(a_.mask.spent, number, divisor, 13);
      a_.vsubpd(number | a_.mask.spent, number, divisor);
    });
    a_.vcvttpd2udq(eight.y(), number);
    group.lanes <= 8 ? a_.vmovdqa(all.y(), eight.y())
                     : a_.vinserti64x4(all.z(), all.z(), eight.y(), half);
  }
}

// Lanes are multiplied at once when that cannot overflow, else when they are taken apart.
Index LaneResolver::scaled(const Index& index, const Amount& step) {
  Index out = index;
  out.step = step;
  if (moves_vectors() || index.in != Index::In::Vector || !offsets_fit_lanes(plan_, step))
    return out;
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor <= 8 || !std::has_single_bit(factor)) return out;
  const Xmm all = lanes(index.group);
  a_.vpslld(all, all, static_cast<std::uint8_t>(std::countr_zero(factor)));
  out.step = 1;
  return out;
}

}  // namespace pto::jit::xbyak
