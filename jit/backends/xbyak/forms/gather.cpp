#include "jit/backends/xbyak/forms/gather.h"

#include <bit>

namespace pto::jit::xbyak {

using Xbyak::Opmask;
using Xbyak::Ymm;
using Xbyak::Zmm;

// A gather reads 32 bits, also for smaller elements.
std::int64_t GatherForm::slots_short() const {
  return gathers() ? (4 - plan_.element_size) / scale() : 0;
}

void GatherForm::keep_constants() {
  a_.mov(a_.eax, 0x80000000);
  broadcast(a_, a_.vec.bias);
  if (!is_narrow()) return;
  a_.serving(Purpose::GatherReach, [&] {
    const bool counts_slots = plan_.digit_count == 1;
    counts_slots ? a_.load(a_.rax, plan_.capacity) : lanes_.load_table_bytes(a_.rax);
    a_.sub(a_.rax, static_cast<int>((counts_slots ? 1 : plan_.element_size) + slots_short()));
    broadcast(a_, a_.vec.reach);
  });
}

void GatherForm::start_groups() {
  middle_ = a_.take();
  a_.mov(middle_.reg(), scale() << 31);
  a_.add(middle_.reg(), a_.at.table);
}

// The lanes that count, in a mask that an instruction may use up.
Opmask GatherForm::spent_mask(const Group& group, const Mask& live) {
  const Opmask spent = a_.mask.spent;
  if (live.kind == Mask::Kind::Vector) {
    a_.kmovw(spent, a_.mask.live);
  } else if (group.is_rest) {
    a_.kmovw(spent, a_.mask.rest);
  } else {
    a_.kxnorw(spent, spent, spent);
  }
  return spent;
}

// Smaller elements are read with their neighbours and shifted down; near the table's end the
// neighbours are those before.
Value GatherForm::gather(const Index& far, const Mask& live) {
  const Zmm all = a_.vec.lanes.z();
  const Zmm shift = a_.vec.shift.z();
  const Zmm value = a_.vec.table.z();
  if (is_narrow()) {
    a_.vpminud(a_.vec.spare.z(), all, a_.vec.reach.z());
    a_.vpsubd(shift, all, a_.vec.spare.z());
  }
  gather_lanes(is_narrow() ? a_.vec.spare : a_.vec.lanes, far, live);
  if (is_narrow()) {
    const auto bits = 3 + std::countr_zero(static_cast<std::uint64_t>(far.step.factor));
    a_.vpslld(shift, shift, static_cast<std::uint8_t>(bits));
    a_.vpsrlvd(value, value, shift);
  }
  return {.held = Held::Table};
}

// Lanes are signed to a gather; the bias, counted from the table's middle, makes up for it.
void GatherForm::gather_lanes(Vector from, const Index& far, const Mask& live) {
  const Vector value = a_.vec.table;
  const Vector biased = a_.vec.spare;
  const auto scale = static_cast<int>(far.step.factor);
  a_.serving(Purpose::GatherFrom, [&] { a_.vpxor(value.x(), value.x(), value.x()); });
  if (strategy_.avx512) {
    a_.vpxord(biased.z(), from.z(), a_.vec.bias.z());
    const Opmask mask = spent_mask(far.group, live);
    return a_.vpgatherdd(value.z() | mask, a_.ptr[middle_.reg() + biased.z() * scale]);
  }
  const Ymm mask = a_.vec.first.y();
  a_.vpxor(biased.y(), from.y(), a_.vec.bias.y());
  live.kind == Mask::Kind::Vector ? a_.vmovdqa(mask, a_.vec.live.y())
                                  : a_.vpcmpeqd(mask, mask, mask);
  a_.vpgatherdd(value.y(), a_.ptr[middle_.reg() + biased.y() * scale], mask);
}

void GatherForm::scatter(const Index& far, Value value, const Mask& live) {
  if (!far.is_loaded) lanes_.load_lanes(far.group);
  const Zmm biased = a_.vec.spare.z();
  a_.vpxord(biased, a_.vec.lanes.z(), a_.vec.bias.z());
  const Opmask mask = spent_mask(far.group, live);
  const auto scale = static_cast<int>(far.step.factor);
  a_.vpscatterdd(a_.ptr[middle_.reg() + biased * scale] | mask, vector_of(value).z());
}

}  // namespace pto::jit::xbyak
