#include "jit/backends/xbyak/lane_resolver.h"

#include <algorithm>
#include <bit>

namespace pto::jit::xbyak {

using Xbyak::Xmm;
using Xbyak::Ymm;

namespace {

// A multiplication of lanes must not overflow them.
bool offsets_fit_lanes(const KernelPlan& plan, const Amount& step) {
  constexpr std::int64_t kLanes = std::int64_t{1} << 32;
  if (plan.oob == Oob::Undefined || !plan.capacity.is_static() || !step.is_static()) return false;
  return plan.capacity.factor <= kLanes / std::max<std::int64_t>(step.factor, 1);
}

}  // namespace

void broadcast(Assembler& a, Vector to) {
  a.uses_wide();
  if (a.isa.avx512) return a.vpbroadcastd(to.z(), a.eax);
  a.vmovd(to.x(), a.eax);
  a.vpbroadcastd(to.y(), to.x());
}

// The last slot, not the first beyond.
bool LaneResolver::keeps_last() const {
  return plan_.oob == Oob::Clamp || (plan_.oob == Oob::Wrap && is_power_of_two(plan_.capacity));
}

void LaneResolver::keep_limits() {
  if (strategy_.singles) return;
  if (plan_.digit_count > 1 && strategy_.form != UnitForm::Own) keep_digits();
  if (plan_.oob == Oob::Undefined) return;
  a_.load(a_.rax, plan_.capacity);
  if (keeps_last()) {
    a_.dec(a_.rax);
    return broadcast(a_, a_.vec.last);
  }
  a_.serving_if(strategy_.aside > 0, Purpose::AllLive, [&] { broadcast(a_, a_.vec.limit); });
  if (plan_.oob == Oob::Wrap) keep_inverse();
}

void LaneResolver::keep_inverse() {
  resolver_.load_inverse(plan_.capacity);
  broadcast(a_, a_.vec.inverse);
  keep_even();
}

void LaneResolver::keep_even() {
  if (!strategy_.avx512 || (strategy_.group < 16 && strategy_.strip == 0)) return;
  a_.mov(a_.eax, 0x5555);
  a_.kmovw(a_.mask.even, a_.eax);
}

// Where no policy looks at them, lanes taken one by one are read from memory, and a scatter has
// its elements loaded first. Those of indices that lie apart are resolved there.
Index LaneResolver::load(const Group& group) {
  if (strategy_.singles) return {.in = Index::In::Memory, .group = group};
  const bool is_followed_later = takes_apart() || strategy_.form == UnitForm::Scatter;
  const bool is_looked_at = plan_.oob != Oob::Undefined || plan_.digit_count > 1;
  const bool is_compared = is_looked_at && !group.is_mixed && !group.is_resolved;
  const bool is_for_test = strategy_.form == UnitForm::Batches && !is_compared;
  const bool is_loaded = is_compared || is_for_test || !is_followed_later || strategy_.vector;
  if (is_loaded) {
    a_.serving_if(is_for_test, Purpose::WholeBatch, [&] {
      a_.serving_if(group.mixed, Purpose::AllLive, [&] { load_lanes(group); });
    });
  }
  const Index::In in = strategy_.vector ? Index::In::Vector : Index::In::Memory;
  return {.in = in, .group = group, .is_loaded = is_loaded};
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
  if (group.is_resolved || strategy_.singles) return index;
  if (group.mixed) return inside(index);
  a_.vpminud(lanes(group), lanes(group), in(a_.vec.last, group));
  return {.in = Index::In::Vector, .group = group, .is_loaded = true};
}

// All ones in `spare` where a lane is at or beyond the capacity.
void LaneResolver::find_outside(const Group& group) {
  const Xmm spare = in(a_.vec.spare, group);
  a_.vpmaxud(spare, lanes(group), in(a_.vec.limit, group));
  a_.vpcmpeqd(spare, spare, lanes(group));
}

void LaneResolver::jump_if_none_inside(const Group& group, Label& none) {
  a_.serving(Purpose::NoneInside, [&] {
    load_lanes(group);
    find_outside(group);
    a_.vmovmskps(a_.eax, in(a_.vec.spare, group));
    a_.cmp(a_.eax, (1 << group.lanes) - 1);
    a_.je(none, Assembler::T_NEAR);
  });
}

Mask LaneResolver::below(const Index& index) {
  const Group& group = index.group;
  if (group.is_mixed) return {.kind = Mask::Kind::Numbers};
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
  a_.serving_if(group.mixed, Purpose::AllLive,
                [&] { a_.vmovmskps(mask.dead.low(), in(a_.vec.spare, group)); });
  return mask;
}

Index LaneResolver::wrapped(const Index& index, const Amount& capacity) {
  const Group& group = index.group;
  const Xmm all = lanes(group);
  if (group.is_resolved || strategy_.singles) return index;
  if (group.mixed) return inside(index);
  if (is_power_of_two(capacity)) {
    const Xmm last = in(a_.vec.last, group);
    strategy_.avx512 ? a_.vpandd(all, all, last) : a_.vpand(all, all, last);
  } else {
    divide_by_capacity(group);
  }
  return {.in = Index::In::Vector, .group = group, .is_loaded = true};
}

// The next `left` indices become slots at `to`, by whole vectors; both registers and the index's
// are used up.
void LaneResolver::resolve_strip(const Xbyak::Reg64& to, const Xbyak::Reg64& left) {
  const Group all = {.lanes = a_.isa.vector_bytes() / 4};
  Label again;
  a_.L(again);
  load_lanes(all);
  const Index raw = {.in = Index::In::Vector, .group = all, .is_loaded = true};
  plan_.oob == Oob::Clamp ? clamped(raw) : wrapped(raw, plan_.capacity);
  strategy_.avx512 ? a_.vmovdqu32(a_.ptr[to], lanes(all)) : a_.vmovdqu(a_.ptr[to], lanes(all));
  a_.serving(Purpose::StripStep, [&] {
    a_.add(a_.at.index, a_.isa.vector_bytes());
    a_.add(to, a_.isa.vector_bytes());
    a_.sub(left, all.lanes);
    a_.jnz(again);
  });
}

// In range already, or the group goes elsewhere.
Index LaneResolver::inside(const Index& index) {
  const Group& group = index.group;
  const Xmm spare = in(a_.vec.spare, group);
  a_.serving(Purpose::AllInside, [&] {
    if (keeps_last()) {
      a_.vpminud(spare, lanes(group), in(a_.vec.last, group));
      a_.vpxor(spare, spare, lanes(group));
    } else {
      find_outside(group);
    }
    a_.vptest(spare, spare);
  });
  a_.jnz(*group.mixed, Assembler::T_NEAR);
  return index;
}

// The upper half of a product with the inverse is the quotient or one too small, which the
// remainder shows.
void LaneResolver::divide_by_capacity(const Group& group) {
  const Xmm all = lanes(group);
  const Xmm product = in(a_.vec.second, group);
  const Xmm limit = in(a_.vec.limit, group);
  multiply_high(all, a_.vec.inverse);
  a_.vpmulld(product, product, limit);
  a_.vpsubd(all, all, product);
  a_.vpsubd(product, all, limit);
  a_.vpminud(all, all, product);
}

// Products have 64 bits: of the even lanes, then of the odd ones.
void LaneResolver::multiply_high(const Xmm& numbers, Vector inverse) {
  const int bytes = static_cast<int>(numbers.getBit()) / 8;
  const Xmm even = a_.vec.first.of(bytes);
  const Xmm odd = a_.vec.second.of(bytes);
  a_.vpmuludq(even, numbers, inverse.of(bytes));
  a_.vpsrlq(odd, numbers, 32);
  a_.vpmuludq(odd, odd, inverse.of(bytes));
  if (odd.isZMM()) return a_.vmovshdup(odd | a_.mask.even, even);
  a_.vmovshdup(even, even);
  a_.vpblendd(odd, even, odd, 0xaa);
}

// Lanes are multiplied at once when that cannot overflow and they need not be compared any more,
// else when they are taken apart.
Index LaneResolver::scaled(const Index& index, const Amount& step) {
  if (plan_.digit_count > 1) return scaled_digit(index, step);
  Index out = index;
  out.step = step;
  const bool is_vector = !moves_vectors() && index.in == Index::In::Vector;
  if (!is_vector || index.group.is_mixed || !offsets_fit_lanes(plan_, step)) return out;
  const auto factor = static_cast<std::uint64_t>(step.factor);
  if (factor <= 8 || !std::has_single_bit(factor)) return out;
  const Xmm all = lanes(index.group);
  a_.vpslld(all, all, static_cast<std::uint8_t>(std::countr_zero(factor)));
  out.step = 1;
  return out;
}

}  // namespace pto::jit::xbyak
