#include "jit/backends/xbyak/forms/picks.h"

namespace pto::jit::xbyak {

// Lanes that do not count are zero: those of mixed groups read that aside, others are jumped over.
Value PicksForm::gather(const Index& far, const Mask& live) {
  if (far.group.mixed) lanes_.leave_unless_all_live(far.group, live);
  const bool jumps = live.kind == Mask::Kind::Lanes && !far.group.mixed;
  for (int lane = 0; jumps && lane < far.group.lanes; lane += per_vector())
    a_.vpxor(part(lane), part(lane), part(lane));
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    if (!jumps)
      return pick(far, number, {lane, live.kind == Mask::Kind::Numbers ? &live : nullptr});
    Label dead;
    jump_if_not(a_, live, lane, dead);
    insert(lanes_.table_at(far, number, {lane}), lane);
    a_.L(dead);
  });
  return {.held = Held::Table};
}

// The first lane of a vector waits for nothing that was there before.
void PicksForm::pick(const Index& far, const Loan& number, const Lane& lane) {
  const Xbyak::RegExp from = lanes_.table_at(far, number, lane);
  const Xbyak::Xmm to = part(lane.number);
  if (lane.number % per_vector() != 0) return insert(from, lane.number);
  switch (plan_.element_size) {
    case 1: return a_.vpbroadcastb(to, a_.byte[from]);
    case 2: return a_.vpbroadcastw(to, a_.word[from]);
    default: return a_.vmovd(to, a_.dword[from]);
  }
}

void PicksForm::insert(const Xbyak::RegExp& from, int lane) {
  const Xbyak::Xmm to = part(lane);
  const auto place = static_cast<std::uint8_t>(lane % per_vector());
  switch (plan_.element_size) {
    case 1: return a_.vpinsrb(to, to, a_.byte[from], place);
    case 2: return a_.vpinsrw(to, to, a_.word[from], place);
    default: return a_.vpinsrd(to, to, a_.dword[from], place);
  }
}

void PicksForm::store_tiles(const Position& at, Value, const Mask&) {
  const Xbyak::RegExp tile = tile_of(at.group);
  if (at.group.lanes < per_vector()) return a_.vmovq(a_.qword[tile], part(0));
  for (int lane = 0; lane < at.group.lanes; lane += per_vector())
    a_.vmovdqu(a_.xword[tile + static_cast<std::size_t>(lane * plan_.element_size)], part(lane));
}

}  // namespace pto::jit::xbyak
