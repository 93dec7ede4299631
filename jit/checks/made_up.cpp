#include "jit/checks/made_up.h"

#include <algorithm>
#include <random>

#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "runtime/fillers.h"

namespace pto::jit::cli {
namespace {

constexpr std::uint32_t kSeed = 1;
constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;

std::uint64_t index_at(IndexPattern pattern, std::size_t position, std::uint64_t slots,
                       std::mt19937& random) {
  const std::uint64_t raw = pattern == IndexPattern::Sequential ? position : random();
  const bool is_beyond = pattern == IndexPattern::Beyond && position % 2 == 0;
  return raw % slots + (is_beyond ? slots : 0);
}

// Every fifth repeats the one before, every sixth is beyond. Byte offsets are those of whole units.
std::uint64_t mixed_index(const BoundSpec& bound, const Frame& frame, std::size_t position,
                          std::uint64_t slots) {
  const KernelPlan& plan = bound.plan();
  const bool is_bytes = operation_of(bound.spec().op).counts_bytes;
  const auto unit = is_bytes ? static_cast<std::uint64_t>(value_in(frame, plan.unit.run)) : 1;
  const std::uint64_t units =
      std::max<std::uint64_t>((slots + unit - 1) / std::max<std::uint64_t>(unit, 1), 1);
  const std::uint64_t number = position - (position % 5 == 2 ? 1 : 0);
  const bool is_beyond = plan.oob != Oob::Undefined && position % 6 == 3;
  return number * 7 % units * unit + (is_beyond ? slots : 0);
}

}  // namespace

std::string_view name_of(IndexPattern pattern) {
  constexpr std::array<std::string_view, 4> kNames = {"sequential", "random", "beyond", "mixed"};
  return kNames[static_cast<std::size_t>(pattern)];
}

std::vector<IndexPattern> patterns_for(const KernelPlan& plan) {
  if (!plan.has_index()) return {IndexPattern::Sequential};
  std::vector<IndexPattern> out = {IndexPattern::Sequential, IndexPattern::Random};
  if (plan.oob != Oob::Undefined || plan.audit.is_on) out.push_back(IndexPattern::Beyond);
  return out;
}

Result<OperandStore> made_up_operands(const BoundSpec& bound, IndexPattern pattern) {
  std::mt19937 random(kSeed);
  const KernelPlan& plan = bound.plan();
  std::int64_t total = 0;
  const StorageSource source = [&](const StorageRequest& wanted) -> Result<Storage> {
    total = saturating_sum(total, wanted.bytes);
    if (total > kMostBytes) return error("check.size", "the operands are too large to make up");
    return zeros_for(wanted);
  };
  Result<OperandStore> out = OperandStore::make(bound.spec(), plan, source);
  if (!out) return out;
  const std::uint64_t slots = std::max<std::uint64_t>(indexed_slots(plan, out->frame()), 1);
  // One number throughout where it must not matter which of several writers wins.
  const bool is_flat =
      plan.has_index() && plan.direction == Direction::ToTable && plan.writer == Writer::Any;
  for (const OperandStore::Held& held : out->operands()) {
    const Role role = held.operand.role;
    const DType dtype = dtype_of(bound.spec(), role);
    const std::uint32_t one = small_number(dtype, random);
    fill(held.bytes(), dtype, [&](std::size_t i) -> std::uint64_t {
      if (role == Role::Index && pattern == IndexPattern::Mixed)
        return mixed_index(bound, out->frame(), i, slots);
      if (role == Role::Index) return index_at(pattern, i, slots, random);
      return is_flat && role == Role::Data ? one : small_number(dtype, random);
    });
  }
  return out;
}

}  // namespace pto::jit::cli
