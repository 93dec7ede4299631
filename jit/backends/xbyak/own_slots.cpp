#include "jit/backends/xbyak/own_slots.h"

#include <algorithm>

namespace pto::jit::xbyak {

using Xbyak::Xmm;

// The slots of a part are at least one and at most 2^32, so what comes before the last fits a lane.
void OwnSlots::keep_limits() {
  if (strategy_.form != UnitForm::Own) return;
  bits_ = a_.new_slot();
  ahead_ = a_.new_slot();
  tile_ = a_.new_slot();
  slots_ = a_.new_area(64);
  a_.load(a_.rax, plan_.own.first);
  broadcast(a_, a_.vec.own_first);
  a_.load(a_.rax, plan_.own.count);
  a_.dec(a_.rax);
  broadcast(a_, a_.vec.own_count);
}

Mask OwnSlots::within(const Index& slot) {
  const Group& group = slot.group;
  if (group.is_single()) {
    const Index from_first{.in = Index::In::Register, .group = group, .reg = a_.take()};
    a_.mov(from_first.reg.reg(), slot.reg.reg());
    a_.sub(from_first.reg.reg(), a_[a_.slot_of(plan_.own.first)]);
    return {.kind = Mask::Kind::Below, .value = from_first, .limit = plan_.own.count};
  }
  const auto in = [&](Vector vector) { return LaneResolver::in(vector, group); };
  const Xmm spare = in(a_.vec.spare);
  a_.vpsubd(spare, in(a_.vec.lanes), in(a_.vec.own_first));
  if (strategy_.avx512) {
    const Xbyak::Opmask live = group.is_rest ? a_.mask.live | a_.mask.rest : a_.mask.live;
    a_.vpcmpud(live, spare, in(a_.vec.own_count), 2);  // at most
  } else {
    const Xmm live = in(a_.vec.live);
    a_.vpminud(live, spare, in(a_.vec.own_count));
    a_.vpcmpeqd(live, live, spare);
  }
  return {.kind = Mask::Kind::Vector};
}

void OwnSlots::find(const Group& group, Label& none) {
  strategy_.avx512 ? a_.kmovw(a_.eax, a_.mask.live)
                   : a_.vmovmskps(a_.eax, LaneResolver::in(a_.vec.live, group));
  a_.test(a_.eax, a_.eax);
  a_.jz(none, Assembler::T_NEAR);
  const Xmm slots = LaneResolver::in(a_.vec.lanes, group);
  const Xbyak::Address kept = a_.ptr[a_.rsp + slots_.within(0, slots.getBit() / 8)];
  strategy_.avx512 ? a_.vmovdqu32(kept, slots) : a_.vmovdqu(kept, slots);
  a_.mov(a_[bits_], a_.rax);
  a_.mov(a_[tile_], a_.at.tile);
}

// Own slots and their units some groups later, by raw indices: most are in range.
void OwnSlots::ask_ahead(const Group& group, const Way& way) {
  Label again, none;
  const auto in = [&](Vector vector) { return LaneResolver::in(vector, group); };
  const auto from = static_cast<std::size_t>(strategy_.own_ahead * plan_.index_size);
  a_.serving(Purpose::PrefetchTest, [&] {
    a_.cmp(a_.at.count, strategy_.own_ahead + group.lanes);
    a_.jb(none, Assembler::T_NEAR);
    const Xbyak::Address indices = a_.ptr[a_.at.index + from];
    strategy_.avx512 ? a_.vmovdqu32(in(a_.vec.first), indices)
                     : a_.vmovdqu(in(a_.vec.first), indices);
    a_.vpsubd(in(a_.vec.first), in(a_.vec.first), in(a_.vec.own_first));
    if (strategy_.avx512) {
      a_.vpcmpud(a_.mask.spent, in(a_.vec.first), in(a_.vec.own_count), 2);
      a_.kmovw(a_.eax, a_.mask.spent);
    } else {
      a_.vpminud(in(a_.vec.second), in(a_.vec.first), in(a_.vec.own_count));
      a_.vpcmpeqd(in(a_.vec.second), in(a_.vec.second), in(a_.vec.first));
      a_.vmovmskps(a_.eax, in(a_.vec.second));
    }
    a_.test(a_.eax, a_.eax);
    a_.jz(none, Assembler::T_NEAR);
    a_.L(again);
    a_.lea(a_.edx, a_.ptr[a_.rax - 1]);
    a_.and_(a_.edx, a_.eax);
    a_.mov(a_[ahead_], a_.rdx);
    a_.tzcnt(a_.edx, a_.eax);
    ask_unit(way);
    a_.mov(a_.rax, a_[ahead_]);
    a_.test(a_.eax, a_.eax);
    a_.jnz(again, Assembler::T_NEAR);
  });
  a_.L(none);
}

// rdx: the lane. Units that are skipped in between keep the hardware from fetching the others; of
// the table, where it is read first, one line will do.
void OwnSlots::ask_unit(const Way& way) {
  constexpr std::int64_t kLine = 64;
  constexpr std::int64_t kMostBytes = 512;
  const std::int64_t step = innermost_.tile_step.factor;
  if (!moves_elements(plan_) && innermost_.tile_step.is_static() && step <= (1 << 20)) {
    const std::int64_t run = plan_.unit.run.is_static() ? plan_.unit.run.factor : kLine;
    a_.imul(a_.eax, a_.edx, static_cast<int>(step));
    for (std::int64_t at = 0; at < std::min(run, kMostBytes); at += kLine)
      a_.prefetcht0(
          a_.ptr[a_.at.tile + a_.rax + static_cast<std::size_t>(strategy_.own_ahead * step + at)]);
  }
  if (way.kind == Way::Kind::Stream) return;
  const auto from = static_cast<std::size_t>(strategy_.own_ahead * plan_.index_size);
  a_.mov(a_.edx, a_.dword[a_.at.index + a_.rdx * 4 + from]);
  resolver_.multiply(a_.rdx, plan_.digits[0].step);
  a_.prefetchw(a_.ptr[a_.at.table + a_.rdx]);
}

// Takes the lowest bit; the tile's register goes to that lane's unit.
Index OwnSlots::next() {
  const Index slot{.in = Index::In::Register, .reg = a_.take()};
  a_.mov(a_.rax, a_[bits_]);
  a_.tzcnt(a_.edx, a_.eax);
  a_.mov(slot.reg.low(), a_.dword[a_.rsp + a_.rdx * 4 + slots_.within(0, strategy_.group * 4)]);
  resolver_.multiply(a_.rdx, innermost_.tile_step);
  a_.add(a_.rdx, a_[tile_]);
  a_.mov(a_.at.tile, a_.rdx);
  a_.mov(a_.rax, a_[bits_]);
  a_.lea(a_.edx, a_.ptr[a_.rax - 1]);
  a_.and_(a_.eax, a_.edx);
  a_.mov(a_[bits_], a_.rax);
  return slot;
}

}  // namespace pto::jit::xbyak
