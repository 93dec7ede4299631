#include "jit/xbyak/forms/batches.h"

namespace pto::jit::xbyak {

using Xbyak::Xmm;

Value BatchesForm::gather(const Index& far, const Mask&) {
  const Value out{Held::Table, wide(far.group)};
  const Xmm halves = vector_of(out).x();
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    a_.vpinsrw(halves, halves, a_.word[lanes_.table_at(far, number, {lane})],
               static_cast<std::uint8_t>(lane));
  });
  elements_.widen(out);
  return out;
}

void BatchesForm::scatter(const Index& far, Value value, const Mask&) {
  elements_.narrow(value);
  lanes_.each_number(far, [&](const Loan& number, int lane) {
    a_.vpextrw(a_.word[lanes_.table_at(far, number, {lane})], vector_of(value).x(),
               static_cast<std::uint8_t>(lane));
  });
}

Value BatchesForm::load_tiles(const Position& at) {
  return elements_.load({Held::Tile, wide(at.group)}, tile_of(at.group));
}

// Lanes that do not count leave as well: a batch is combined whole or not at all.
void BatchesForm::jump_if_lanes_meet(const Index& far, const Mask& live, Label& meet) {
  if (live.kind == Mask::Kind::Vector) {
    a_.serving(Purpose::WholeBatch, [&] { a_.kmovw(a_.eax, a_.mask.live); });
    a_.cmp(a_.eax, (1 << far.group.lanes) - 1);
    a_.jne(meet, Assembler::T_NEAR);
  }
  const Xbyak::Ymm spare = a_.vec.spare.y();
  a_.serving(Purpose::WholeBatch, [&] { a_.vpconflictd(spare, a_.vec.lanes.y()); });
  a_.vptest(spare, spare);
  a_.jnz(meet, Assembler::T_NEAR);
}

}  // namespace pto::jit::xbyak
