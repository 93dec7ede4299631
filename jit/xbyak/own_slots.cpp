#include "jit/xbyak/own_slots.h"

namespace pto::jit::xbyak {

using Xbyak::Xmm;

// The slots of a part are at least one and at most 2^32, so what comes before the last fits a lane.
void OwnSlots::keep_limits() {
  if (strategy_.form != UnitForm::Own) return;
  bits_ = a_.new_slot();
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

void OwnSlots::find(const Group& group, Xbyak::Label& none) {
  strategy_.avx512 ? a_.kmovw(a_.eax, a_.mask.live)
                   : a_.vmovmskps(a_.eax, LaneResolver::in(a_.vec.live, group));
  a_.test(a_.eax, a_.eax);
  a_.jz(none, Assembler::T_NEAR);
  const Xmm slots = LaneResolver::in(a_.vec.lanes, group);
  const Xbyak::Address kept = a_.ptr[a_.rsp + static_cast<std::size_t>(slots_.offset)];
  strategy_.avx512 ? a_.vmovdqu32(kept, slots) : a_.vmovdqu(kept, slots);
  a_.mov(a_[bits_], a_.rax);
  a_.mov(a_[tile_], a_.at.tile);
}

// Takes the lowest bit; the tile's register goes to that lane's unit.
Index OwnSlots::next() {
  const Index slot{.in = Index::In::Register, .reg = a_.take()};
  a_.mov(a_.rax, a_[bits_]);
  a_.tzcnt(a_.edx, a_.eax);
  a_.mov(slot.reg.low(), a_.dword[a_.rsp + a_.rdx * 4 + static_cast<std::size_t>(slots_.offset)]);
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
