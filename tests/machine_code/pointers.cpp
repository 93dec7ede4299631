#include "tests/machine_code/pointers.h"

#include <algorithm>

#include "ir/frame.h"

namespace pto::jit::tests {
namespace {

constexpr unsigned kCombinations = 32;
constexpr std::int64_t kSlot = 8;

}  // namespace

bool Known::always_has(unsigned wanted) const {
  for (unsigned one = 0; one < kCombinations; ++one) {
    if ((origins >> one & 1) != 0 && (one & wanted) == 0) return false;
  }
  return true;
}

Known from(unsigned one, std::int64_t offset) { return {1u << one, offset, true}; }

Known inexact(Known known) { return {known.origins}; }

Known moved(Known known, std::int64_t bytes) {
  if (known.is_exact) known.offset += bytes;
  return known;
}

Known sum(const Known& a, const Known& b) {
  Known out{0};
  for (unsigned i = 0; i < kCombinations; ++i) {
    for (unsigned j = 0; (a.origins >> i & 1) != 0 && j < kCombinations; ++j)
      if ((b.origins >> j & 1) != 0) out.origins |= 1u << (i | j);
  }
  return out;
}

Known either(const Known& a, const Known& b) { return a == b ? a : Known{a.origins | b.origins}; }

Known frame_field(const KernelPlan& plan, std::int64_t offset) {
  const auto side = [](bool is_written) {
    return inexact(from(is_written ? origin::kWritten : origin::kRead));
  };
  const bool to_table = plan.direction == Direction::ToTable;
  switch (offset) {
    case offsetof(Frame, tile): return side(!to_table);
    case offsetof(Frame, index): return side(false);
    case offsetof(Frame, table): return side(to_table && plan.ranks == 0);
    case offsetof(Frame, ranks): return inexact(from(origin::kRanks));
    case offsetof(Frame, report):
    case offsetof(Frame, scratch): return side(plan.audit.is_on);
    default: return {};
  }
}

Known CodeState::slot(std::int64_t offset) const {
  const auto found =
      std::ranges::lower_bound(slots, offset, {}, [](const auto& one) { return one.first; });
  return found != slots.end() && found->first == offset ? found->second : Known{};
}

void CodeState::forget_slots(std::int64_t begin, std::int64_t end) {
  std::erase_if(slots,
                [&](const auto& one) { return one.first < end && begin < one.first + kSlot; });
}

void CodeState::keep_slot(std::int64_t offset, const Known& known) {
  forget_slots(offset, offset + kSlot);
  const auto at =
      std::ranges::lower_bound(slots, offset, {}, [](const auto& one) { return one.first; });
  slots.insert(at, {offset, known});
}

bool CodeState::join(const CodeState& other) {
  const CodeState before = *this;
  for (std::size_t i = 0; i < registers.size(); ++i)
    registers[i] = either(registers[i], other.registers[i]);
  for (auto& [offset, known] : slots) known = either(known, other.slot(offset));
  room_end = std::min(room_end, other.room_end);
  is_unfenced = is_unfenced || other.is_unfenced;
  return registers != before.registers || slots != before.slots || room_end != before.room_end ||
         is_unfenced != before.is_unfenced;
}

CodeState state_at_entry() {
  CodeState out;
  out.registers[kStackPointer] = from(origin::kStack);
  out.registers[kFirstArgument] = from(origin::kFrame);
  return out;
}

}  // namespace pto::jit::tests
