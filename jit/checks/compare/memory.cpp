#include "jit/checks/compare/memory.h"

#include <algorithm>
#include <random>
#include <vector>

#include "ir/interpreter.h"
#include "ir/reach.h"
#include "ir/storage.h"
#include "runtime/fillers.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

using Random = std::mt19937;
using Targets = std::span<const BoundSpec>;

std::uint64_t capacity_of(const BoundSpec& target) {
  return indexed_slots(target.plan(), frame_of(target.spec()));
}

// Bytes of an operand that a kernel may touch when no index is above `greatest`.
std::int64_t bytes_for(const KernelSpec& bound, const KernelPlan& plan, Role role,
                       std::uint64_t greatest) {
  const Frame frame = frame_of(bound);
  const std::int64_t named = storage_bytes(bound, role, plan, frame);
  if (!plan.has_index() || role != addressed_role(bound.op)) return named;
  KernelPlan open = plan;
  if (open.oob == Oob::Undefined) open.capacity = static_cast<std::int64_t>(greatest) + 1;
  const std::int64_t reach = indexed_slots(plan, frame) == 0 ? 0 : table_reach(open, frame);
  return std::max({named, reach, plan.fill_bytes});
}

bool answers_any_index(Targets targets) {
  return std::ranges::any_of(
      targets, [](const BoundSpec& target) { return target.plan().oob != Oob::Undefined; });
}

// Good on each of the targets, but for those that go beyond on purpose.
std::vector<std::uint32_t> made_up_indices(Targets targets, Random& random) {
  const Tile& tile = targets[0].spec().index;
  std::uint64_t least = capacity_of(targets[0]);
  for (const BoundSpec& target : targets) least = std::min(least, capacity_of(target));
  least = std::max<std::uint64_t>(least, 1);
  const std::uint64_t most = targets[0].plan().index_size == 2 ? 0xffff : 0xffffffff;
  const bool goes_beyond = answers_any_index(targets);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(tile.rows) *
                                 static_cast<std::size_t>(tile.cols));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t kind = random() % 6;
    std::uint64_t index = random() % least;
    if (kind == 0 && goes_beyond) index = std::min(least + index, most);
    if (kind == 1 && i > 0) index = out[random() % i];
    out[i] = static_cast<std::uint32_t>(index);
  }
  return out;
}

// The greatest of all targets; nothing when that is more than a comparison should take.
Result<std::int64_t> room_for(Targets targets, Role role, std::uint64_t greatest) {
  std::int64_t most = 0;
  for (const BoundSpec& target : targets) {
    most = std::max(most, bytes_for(target.spec(), target.plan(), role, greatest));
  }
  if (most <= kMostBytes) return most;
  return error("compare.size", std::string(operand_name(targets[0].spec().op, role)) +
                                   " would take " + std::to_string(most) +
                                   " bytes, more than a comparison makes up; take smaller shapes");
}

}  // namespace

Result<MadeMemory> MadeMemory::make(Targets targets, std::uint32_t seed) {
  const KernelSpec& spec = targets[0].spec();
  const KernelPlan& plan = targets[0].plan();
  Random random(seed);
  std::vector<std::uint32_t> indices;
  if (plan.has_index()) indices = made_up_indices(targets, random);
  const std::uint64_t greatest = indices.empty() ? 0 : std::ranges::max(indices);
  const StorageSource source = [&](const StorageRequest& wanted) -> Result<Storage> {
    if (!wanted.operand) return zeros_for(wanted);
    const Role role = wanted.operand->role;
    const Result<std::int64_t> bytes = room_for(targets, role, greatest);
    if (!bytes) return bytes.error();
    std::vector<std::byte> out(static_cast<std::size_t>(*bytes));
    const DType dtype = dtype_of(spec, role);
    fill(out, dtype, [&](std::size_t i) {
      return role == Role::Index ? indices[i] : small_number(dtype, random);
    });
    return holding(std::move(out));
  };
  Result<OperandStore> store = OperandStore::make(spec, plan, source);
  if (!store) return store.error();
  return MadeMemory(std::move(*store), greatest);
}

OperandStore MadeMemory::after(const BoundSpec& target,
                               const std::function<void(const Frame&)>& kernel) const {
  OperandStore out = store_.copy_for(target.spec(), target.plan());
  kernel(out.frame());
  return out;
}

bool MadeMemory::has_room_for(const KernelSpec& bound, const KernelPlan& plan) const {
  return std::ranges::all_of(store_.operands(), [&](const OperandStore::Held& held) {
    const std::int64_t needed = bytes_for(bound, plan, held.operand.role, greatest_index_);
    return needed <= static_cast<std::int64_t>(held.bytes().size());
  });
}

}  // namespace pto::jit
