#include "jit/backends/llvm/scratch_slots.h"

#include <algorithm>
#include <bit>

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kWord = 8;  // bytes

std::int64_t whole_words(std::int64_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

}  // namespace

ScratchSlots::ScratchSlots(FunctionBuilder& f, const KernelPlan& plan, const Choices& choices)
    : f_(f),
      plan_(plan),
      most_(choices.scratch),
      bytes_(whole_words(plan.unit.run.is_static() ? plan.unit.run.factor : most_)),
      slots_(are_shared() ? 1 : choices.group) {}

void ScratchSlots::reserve(Runs& runs) {
  if (most_ == 0) return;
  room_ = f_.room(whole_words(slots_ * bytes_ + slack()));
  if (!are_read()) return;
  runs.clear(room_.start, {f_.number(room_.bytes), room_.bytes});
}

// What is only written begins with a line, for a store across two takes twice as long. A number
// counts whole steps from the table, so that a slot begins up to a step earlier than it could.
void ScratchSlots::find(Value table) {
  if (most_ == 0) return;
  const Value last = f_.address(f_.moved(room_.start, room_.within(slack(), bytes_)));
  const Value aligned = f_.both(last, static_cast<std::uint64_t>(-grain()));
  const Value from_table = f_.sub(aligned, f_.address(table));
  first_ = f_.shift_right(
      from_table, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(scale()))));
}

Value ScratchSlots::of(const Use& use) {
  const std::int64_t lane = are_shared() ? 0 : static_cast<std::int64_t>(use.lane);
  const std::int64_t at = room_.within(lane * bytes_, slack() + use.unit);
  const Value first = f_.mul(first_, static_cast<std::uint64_t>(scale() / use.scale));
  return at == 0 ? first : f_.add(first, static_cast<std::uint64_t>(at / use.scale));
}

std::int64_t ScratchSlots::scale() const {
  const Amount& step = plan_.digits[0].step;
  const bool is_scale = step.is(2) || step.is(4) || step.is(8);
  return plan_.digit_count == 1 && is_scale ? step.factor : 1;
}

}  // namespace pto::jit::llvm_backend
