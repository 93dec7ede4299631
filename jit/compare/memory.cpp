#include "jit/compare/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "ir/half.h"
#include "ir/interpreter.h"
#include "ir/storage.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

using Random = std::mt19937;

Frame frame_of(const BoundTarget& target) {
  Frame frame;
  frame.extents = extents_of(target.bound);
  return frame;
}

Role addressed_role(Op op) { return has_role(op, Role::Store) ? Role::Store : Role::Table; }

std::uint64_t capacity_of(const BoundTarget& target) {
  const std::int64_t all = value_in(frame_of(target), target.plan.capacity);
  const std::int64_t most = target.plan.index_size == 2 ? 0x10000 : 0xffffffff;
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(all, 0, most));
}

// Bytes of an operand that a kernel may touch when no index is above `greatest`.
std::int64_t bytes_for(const BoundTarget& target, Role role, std::uint64_t greatest) {
  const Frame frame = frame_of(target);
  const std::int64_t named = storage_bytes(target.bound, role, target.plan, frame);
  if (!target.plan.has_index() || role != addressed_role(target.bound.op)) return named;
  KernelPlan open = target.plan;
  if (open.oob == Oob::Undefined) open.capacity = static_cast<std::int64_t>(greatest) + 1;
  const std::int64_t reach = capacity_of(target) == 0 ? 0 : table_reach(open, frame);
  return std::max({named, reach, target.plan.fill_bytes});
}

// Numbers that are told apart at a glance and whose sums round.
std::uint32_t element(DType dtype, Random& random) {
  const float small = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 64.0f;
  if (dtype == DType::F32) return std::bit_cast<std::uint32_t>(small);
  if (dtype == DType::F16) return narrow_f16(small);
  if (dtype == DType::BF16) return narrow_bf16(small);
  return static_cast<std::uint32_t>(random());
}

std::vector<std::byte> made_up(std::int64_t bytes, DType dtype, Random& random) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes));
  const auto size = static_cast<std::size_t>(size_of(dtype));
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    const std::uint32_t value = element(dtype, random);
    std::memcpy(out.data() + at, &value, size);
  }
  return out;
}

// Of all targets: the indices below are good on each of them.
std::uint64_t least_capacity(std::span<const BoundTarget> targets) {
  std::uint64_t least = capacity_of(targets[0]);
  for (const BoundTarget& target : targets) least = std::min(least, capacity_of(target));
  return least;
}

bool answers_any_index(std::span<const BoundTarget> targets) {
  return std::ranges::any_of(
      targets, [](const BoundTarget& target) { return target.plan.oob != Oob::Undefined; });
}

std::vector<std::uint32_t> made_up_indices(std::span<const BoundTarget> targets, Random& random) {
  const Tile& tile = targets[0].bound.index;
  const std::uint64_t least = std::max<std::uint64_t>(least_capacity(targets), 1);
  const std::uint64_t most = targets[0].plan.index_size == 2 ? 0xffff : 0xffffffff;
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

std::vector<std::byte> packed(const std::vector<std::uint32_t>& indices, std::size_t size) {
  std::vector<std::byte> out(indices.size() * size);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::memcpy(out.data() + i * size, &indices[i], size);
  }
  return out;
}

// The greatest of all targets; nothing when that is more than a comparison should take.
Result<std::int64_t> room_for(std::span<const BoundTarget> targets, const Operand& operand,
                              std::uint64_t greatest) {
  std::int64_t most = 0;
  for (const BoundTarget& target : targets) {
    most = std::max(most, bytes_for(target, operand.role, greatest));
  }
  if (most <= kMostBytes) return most;
  return error("compare.size", std::string(operand.name) + " would take " + std::to_string(most) +
                                   " bytes, more than a comparison makes up; take smaller shapes");
}

}  // namespace

Result<MadeMemory> MadeMemory::make(std::span<const BoundTarget> targets, std::uint32_t seed) {
  const KernelSpec& spec = targets[0].bound;
  Random random(seed);
  MadeMemory out;
  std::vector<std::uint32_t> indices;
  if (targets[0].plan.has_index()) indices = made_up_indices(targets, random);
  for (const std::uint32_t index : indices) {
    out.greatest_index_ = std::max<std::uint64_t>(out.greatest_index_, index);
  }
  for (const Operand& operand : operands_of(spec.op)) {
    const Result<std::int64_t> bytes = room_for(targets, operand, out.greatest_index_);
    if (!bytes) return bytes.error();
    const bool is_rank = operand.role == Role::Peer;
    for (std::int32_t copy = 0; copy < (is_rank ? spec.ranks : 1); ++copy) {
      std::string name(operand.name);
      if (is_rank) name += "." + std::to_string(copy);
      const DType dtype = dtype_of(spec, operand.role);
      const bool is_index = operand.role == Role::Index;
      out.operands_.push_back({std::move(name), operand.role,
                               is_index ? packed(indices, targets[0].plan.index_size)
                                        : made_up(*bytes, dtype, random)});
    }
  }
  return out;
}

MadeMemory MadeMemory::after(const BoundTarget& target,
                             const std::function<void(const Frame&)>& kernel) const {
  MadeMemory out = *this;
  Frame frame = frame_of(target);
  std::vector<void*> ranks;
  for (MadeOperand& operand : out.operands_) {
    const bool is_stage = target.bound.op == Op::CommTScatter && operand.role == Role::Data;
    if (operand.role == Role::Peer) ranks.push_back(operand.bytes.data());
    if (operand.role == Role::Peer || is_stage) continue;
    set_buffer(frame, target.bound.op, operand.role, operand.bytes.data());
  }
  std::vector<std::uint64_t> scratch(
      static_cast<std::size_t>(scratch_bytes(target.plan, frame) / 8 + 1));
  frame.ranks = ranks.data();
  frame.report = &out.report_;
  frame.scratch = scratch.data();
  kernel(frame);
  return out;
}

bool MadeMemory::has_room_for(const BoundTarget& target) const {
  return std::ranges::all_of(operands_, [&](const MadeOperand& operand) {
    const std::int64_t needed = bytes_for(target, operand.role, greatest_index_);
    return needed <= static_cast<std::int64_t>(operand.bytes.size());
  });
}

}  // namespace pto::jit
