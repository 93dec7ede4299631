#include "jit/cli/made_up.h"

#include <algorithm>
#include <random>

#include "ir/quantity.h"
#include "runtime/fillers.h"

namespace pto::jit::cli {
namespace {

constexpr std::uint32_t kSeed = 1;
constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;

std::int64_t middling(const KernelSpec& spec, Dim dim) {
  const Role role = role_of(dim);
  const int place = static_cast<int>(dim) - static_cast<int>(first_extent(role));
  if (is_tile(role)) return place == 0 ? tile_of(spec, role).rows : tile_of(spec, role).cols;
  if (is_stride(dim)) {
    Table packed = table_of(spec, role);
    packed.strides = {};
    return std::max<std::int64_t>(stride_of(packed, static_cast<std::size_t>(place - 5)).value, 1);
  }
  if (place < 3) return 1;
  if (place == 4) return spec.data.cols;
  return role == Role::Table ? 16 * std::max(spec.ranks, 1) : 16;
}

// The first dimension that neither a value nor a tie has filled in.
std::optional<Dim> first_open(const LegalSpec& legal, std::span<const Binding> given,
                              KernelSpec& filled) {
  filled = legal.spec();
  for (const Binding& binding : given) set(filled, binding.dim, binding.value);
  follow_ties(filled, legal.profile());
  for (const Dim dim : runtime_dims(filled)) {
    if (has_memory(filled.op, role_of(dim))) return dim;
  }
  return std::nullopt;
}

std::uint64_t index_at(IndexPattern pattern, std::size_t position, std::uint64_t slots,
                       std::mt19937& random) {
  const std::uint64_t raw = pattern == IndexPattern::Sequential ? position : random();
  const bool is_beyond = pattern == IndexPattern::Beyond && position % 2 == 0;
  return raw % slots + (is_beyond ? slots : 0);
}

}  // namespace

Result<BoundSpec> made_up_binding(const LegalSpec& legal, std::vector<Binding> given) {
  KernelSpec filled;
  while (const std::optional<Dim> open = first_open(legal, given, filled))
    given.push_back({*open, middling(filled, *open)});
  return jit::bind(legal, given);
}

std::string_view name_of(IndexPattern pattern) {
  constexpr std::array<std::string_view, 3> kNames = {"sequential", "random", "beyond"};
  return kNames[static_cast<std::size_t>(pattern)];
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
      if (role == Role::Index) return index_at(pattern, i, slots, random);
      return is_flat && role == Role::Data ? one : small_number(dtype, random);
    });
  }
  return out;
}

}  // namespace pto::jit::cli
