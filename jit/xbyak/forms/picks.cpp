#include "jit/xbyak/forms/picks.h"

namespace pto::jit::xbyak {

// Lanes that do not count are zero: those of mixed groups read that aside, others are jumped over.
Value PicksForm::gather(const Index& far, const Mask& live) {
  if (far.group.mixed) lanes_.leave_unless_all_live(far.group, live);
  const bool jumps = live.kind == Mask::Kind::Lanes && !far.group.mixed;
  for (int lane = 0; jumps && lane < far.group.lanes; lane += kQuarter)
    a_.vpxor(part(lane), part(lane), part(lane));
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    if (!jumps)
      return pick(far, number, {lane, live.kind == Mask::Kind::Numbers ? &live : nullptr});
    Label dead;
    jump_if_not(a_, live, lane, dead);
    const Xbyak::RegExp from = lanes_.table_at(far, number, {lane});
    a_.vpinsrd(part(lane), part(lane), a_.dword[from], static_cast<std::uint8_t>(lane % kQuarter));
    a_.L(dead);
  });
  return {.held = Held::Table};
}

void PicksForm::pick(const Index& far, const Loan& number, const Lane& lane) {
  const Xbyak::Address from = a_.dword[lanes_.table_at(far, number, lane)];
  const Xbyak::Xmm to = part(lane.number);
  const auto place = static_cast<std::uint8_t>(lane.number % kQuarter);
  place == 0 ? a_.vmovd(to, from) : a_.vpinsrd(to, to, from, place);
}

void PicksForm::store_tiles(const Position& at, Value, const Mask&) {
  for (int lane = 0; lane < at.group.lanes; lane += kQuarter)
    a_.vmovdqu(a_.xword[tile_of(at.group) + static_cast<std::size_t>(lane * plan_.element_size)],
               part(lane));
}

}  // namespace pto::jit::xbyak
