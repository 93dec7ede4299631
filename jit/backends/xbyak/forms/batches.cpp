#include "jit/backends/xbyak/forms/batches.h"

namespace pto::jit::xbyak {

using Xbyak::Xmm;

namespace {

// Whose memory aside lanes are read from and written to: not the same, or batches would wait for
// each other.
constexpr int kRead = 0;
constexpr int kWritten = 1;

}  // namespace

Value BatchesForm::gather(const Index& far, const Mask& live) {
  const Value out{Held::Table, wide(far.group)};
  const Xmm halves = vector_of(out).x();
  a_.serving(Purpose::GatherFrom, [&] { a_.vpxor(halves, halves, halves); });
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    a_.vpinsrw(halves, halves, a_.word[slot_of(far, number, live, kRead)],
               static_cast<std::uint8_t>(lane));
  });
  elements_.widen(out);
  return out;
}

void BatchesForm::scatter(const Index& far, Value value, const Mask& live) {
  elements_.narrow(value);
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    a_.vpextrw(a_.word[slot_of(far, number, live, kWritten)], vector_of(value).x(),
               static_cast<std::uint8_t>(lane));
  });
}

Value BatchesForm::load_tiles(const Position& at) {
  return elements_.load({Held::Tile, wide(at.group)}, tile_of(at.group));
}

Xbyak::RegExp BatchesForm::slot_of(const Index& far, const Loan& number, const Mask& live,
                                   int aside) {
  return lanes_.table_at(far, number, {aside, live.kind == Mask::Kind::Numbers ? &live : nullptr});
}

// Lanes that do not count leave as well, unless their slots lie aside.
void BatchesForm::jump_if_lanes_meet(const Index& far, const Mask& live, Label& meet) {
  if (live.kind == Mask::Kind::Lanes) {
    if (far.group.mixed) {
      lanes_.leave_unless_all_live(far.group, live);
    } else {
      a_.serving(Purpose::WholeBatch, [&] { a_.test(live.dead.low(), live.dead.low()); });
      a_.jnz(meet, Assembler::T_NEAR);
    }
  }
  const Xbyak::Ymm spare = a_.vec.spare.y();
  a_.serving(Purpose::WholeBatch, [&] { find_equal(spare, live); });
  a_.vptest(spare, spare);
  a_.jnz(meet, Assembler::T_NEAR);
}

// Lanes that lie aside may be equal to each other.
void BatchesForm::find_equal(const Xbyak::Ymm& to, const Mask& live) {
  const Xbyak::Ymm lanes = a_.vec.lanes.y();
  if (live.kind != Mask::Kind::Numbers || !plan_.capacity.is_static())
    return a_.vpconflictd(to, lanes);
  a_.vpcmpud(a_.mask.live, lanes, a_.vec.limit.y(), 1);
  a_.vpconflictd(to | a_.mask.live | a_.T_z, lanes);
}

}  // namespace pto::jit::xbyak
