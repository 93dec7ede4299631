#include "jit/backends/xbyak/lanes.h"

#include <optional>

namespace pto::jit::xbyak {

using Xbyak::Reg64;
using Xbyak::RegExp;
using Xbyak::Xmm;

namespace {

// What the first slot beyond the last comes to, where an instruction can hold it.
std::optional<std::int64_t> known_bytes(const Amount& capacity, const Amount& step) {
  constexpr std::int64_t kMost = 0x7fffffff;
  if (!capacity.is_static() || !step.is_static() || step.factor == 0) return std::nullopt;
  if (capacity.factor > kMost / step.factor) return std::nullopt;
  return capacity.factor * step.factor;
}

}  // namespace

// Pieces from the end of a run need the second register of an address for themselves.
RegExp Lanes::table_at(const Index& far, const Loan& number, const Lane& lane) {
  if (far.in == Index::In::Walk) return RegExp(a_.at.table);
  const bool compares = lane.live && lane.live->kind == Mask::Kind::Numbers;
  const bool needs_register =
      lane.way->kind == Way::Kind::Ends || (lane.live != nullptr && !compares);
  const bool scales = is_scale(far.step);
  if (compares) {
    redirect(far, number, lane);
  } else if (!scales) {
    tools_.resolver.multiply(number.reg(), far.step);
  }
  const RegExp out = a_.at.table + number.reg() * (scales ? static_cast<int>(far.step.factor) : 1);
  if (!needs_register) return out;
  a_.lea(number.reg(), a_.ptr[out]);
  if (lane.live && !compares)
    tools_.aside.redirect(number.reg(), *lane.live, *lane.way, lane.number + far.group.turn);
  return RegExp(number.reg());
}

// Makes a number, or the bytes it comes to, one that leads aside, unless it counts.
void Lanes::redirect(const Index& far, const Loan& number, const Lane& lane) {
  if (is_scale(far.step)) {
    a_.compare(number.reg(), plan_.capacity);
    return tools_.aside.replace(number.reg(), *lane.way, lane.number);
  }
  if (const std::optional<std::int64_t> bytes = known_bytes(plan_.capacity, far.step)) {
    tools_.resolver.multiply(number.reg(), far.step);
    a_.cmp(number.reg(), static_cast<int>(*bytes));
    return tools_.aside.replace(number.reg(), *lane.way, lane.number);
  }
  const Loan raw = a_.take();
  a_.mov(raw.low(), number.low());
  tools_.resolver.multiply(number.reg(), far.step);
  a_.compare(raw.reg(), plan_.capacity);
  tools_.aside.replace(number.reg(), *lane.way, lane.number);
}

Place Lanes::place_of(const Position& at, const Index& far, const Loan& number, Lane lane) {
  const auto before = static_cast<std::size_t>(innermost_.tile_step.factor * lane.number);
  lane.way = at.way;
  Place place{
      .table = table_at(far, number, lane), .tile = tile_of(at.group) + before, .way = at.way};
  if (tools_.units.are_direct(*at.way)) return place;
  place.table_reg = a_.take();
  place.tile_reg = a_.take();
  a_.lea(place.table_reg.reg(), a_.ptr[place.table]);
  a_.lea(place.tile_reg.reg(), a_.ptr[place.tile]);
  place.table = RegExp(place.table_reg.reg());
  place.tile = RegExp(place.tile_reg.reg());
  return place;
}

// A single number is compared again when it has become an address.
Loan Lanes::copied(const Index& far, const Loan& number) {
  if (far.in != Index::In::Register) return number;
  const Loan out = a_.take();
  a_.mov(out.reg(), number.reg());
  return out;
}

// Two neighbouring lanes in registers of their own; the one number when there is no group.
Lanes::Pair Lanes::pair(const Index& far, int lane) {
  if (far.in == Index::In::Walk) return {};
  if (far.in == Index::In::Register) return {far.reg, {}};
  const Pair numbers{a_.take(), a_.take()};
  const Reg64 both = numbers[1].reg();
  if (far.in == Index::In::Memory) {
    a_.mov(both, a_.qword[a_.at.index + static_cast<std::size_t>(lane * plan_.index_size)]);
  } else {
    const Vector upper = a_.vec.spare;
    if (lane == 4) a_.vextracti128(upper.x(), a_.vec.lanes.y(), 1);
    const Xmm from = lane >= 4 ? upper.x() : a_.vec.lanes.x();
    lane % 4 == 0 ? a_.vmovq(both, from) : a_.vpextrq(both, from, 1);
  }
  a_.mov(numbers[0].low(), numbers[1].low());
  a_.shr(both, 32);
  return numbers;
}

// What lies apart is still to be resolved.
Loan Lanes::number_in_memory(int lane) {
  Index number{.in = Index::In::Register, .reg = a_.take()};
  const RegExp from = a_.at.index + static_cast<std::size_t>(lane * innermost_.index_step);
  plan_.index_size == kShort ? a_.movzx(number.reg.low(), a_.word[from])
                             : a_.mov(number.reg.low(), a_.dword[from]);
  if (!strategy_.singles) return number.reg;
  if (plan_.oob == Oob::Clamp) return tools_.resolver.clamped(number, plan_.capacity).reg;
  if (plan_.oob == Oob::Wrap) return tools_.resolver.divided(number, plan_.capacity).remainder.reg;
  return number.reg;
}

}  // namespace pto::jit::xbyak
