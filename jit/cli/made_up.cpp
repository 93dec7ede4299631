#include "jit/cli/made_up.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "ir/half.h"
#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "ir/storage.h"

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
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    const bool is_stage = filled.op == Op::CommTScatter && role_of(dim) == Role::Data;
    const bool is_there = has_role(filled.op, role_of(dim)) && !is_stage;
    if (is_there && get(filled, dim) == kRuntime) return dim;
  }
  return std::nullopt;
}

std::uint32_t number(DType dtype, std::mt19937& random) {
  const float small = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 16.0f;
  if (dtype == DType::F32) return std::bit_cast<std::uint32_t>(small);
  if (dtype == DType::F16) return narrow_f16(small);
  if (dtype == DType::BF16) return narrow_bf16(small);
  return static_cast<std::uint32_t>(random());
}

// `is_flat`: one number throughout, so that it does not matter which of several writers wins.
std::vector<std::byte> numbers(std::int64_t bytes, DType dtype, bool is_flat,
                               std::mt19937& random) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes));
  const auto size = static_cast<std::size_t>(size_of(dtype));
  std::uint32_t value = number(dtype, random);
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    if (!is_flat) value = number(dtype, random);
    std::memcpy(out.data() + at, &value, size);
  }
  return out;
}

std::vector<std::byte> indices(const Tile& tile, IndexPattern pattern, std::int64_t capacity,
                               std::mt19937& random) {
  const auto size = static_cast<std::size_t>(size_of(tile.dtype));
  const auto most = std::clamp<std::int64_t>(capacity, 1, size == 2 ? 0x10000 : 0xffffffff);
  const auto count = static_cast<std::size_t>(tile.rows) * static_cast<std::size_t>(tile.cols);
  std::vector<std::byte> out(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_sequential = pattern == IndexPattern::Sequential;
    std::uint64_t index = (is_sequential ? i : random()) % static_cast<std::uint64_t>(most);
    if (pattern == IndexPattern::Beyond && i % 2 == 0) index += static_cast<std::uint64_t>(most);
    std::memcpy(out.data() + i * size, &index, size);
  }
  return out;
}

}  // namespace

Result<KernelSpec> made_up_binding(const LegalSpec& legal, std::vector<Binding> given) {
  KernelSpec filled;
  while (const std::optional<Dim> open = first_open(legal, given, filled))
    given.push_back({*open, middling(filled, *open)});
  Result<KernelSpec> bound = bind(legal, given);
  if (!bound) return bound;
  if (Result<Done> kept = verify_bound(legal, *bound); !kept) return kept.error();
  return bound;
}

std::string_view name_of(IndexPattern pattern) {
  constexpr std::array<std::string_view, 3> kNames = {"sequential", "random", "beyond"};
  return kNames[static_cast<std::size_t>(pattern)];
}

Result<MadeUpMemory> made_up_memory(const KernelSpec& bound, const KernelPlan& plan,
                                    IndexPattern pattern) {
  std::mt19937 random(kSeed);
  Frame frame;
  frame.extents = extents_of(bound);
  const bool is_flat = plan.direction == Direction::ToTable && plan.writer == Writer::Any;
  MadeUpMemory out;
  std::int64_t total = 0;
  for (const Operand& operand : operands_of(bound.op)) {
    const Role role = operand.role;
    const std::int64_t bytes = storage_bytes(bound, role, plan, frame);
    const std::int64_t copies = role == Role::Peer ? bound.ranks : 1;
    total = saturating_sum(total, saturating_product(bytes, copies));
    if (total > kMostBytes) return error("check.size", "the operands are too large to make up");
    const bool is_constant = is_flat && plan.has_index() && role == Role::Data;
    if (role != Role::Peer)
      out.of(role) = numbers(bytes, dtype_of(bound, role), is_constant, random);
    for (std::int64_t rank = 0; role == Role::Peer && rank < copies; ++rank)
      out.ranks.push_back(numbers(bytes, dtype_of(bound, role), false, random));
  }
  if (plan.has_index())
    out.of(Role::Index) = indices(bound.index, pattern, value_in(frame, plan.capacity), random);
  return out;
}

void interpret_on(const KernelSpec& bound, const KernelPlan& plan, MadeUpMemory& memory) {
  Frame frame;
  frame.extents = extents_of(bound);
  for (const Operand& operand : operands_of(bound.op)) {
    const bool is_stage = bound.op == Op::CommTScatter && operand.role == Role::Data;
    if (operand.role == Role::Peer || is_stage) continue;
    set_buffer(frame, bound.op, operand.role, memory.of(operand.role).data());
  }
  std::vector<void*> ranks;
  for (std::vector<std::byte>& rank : memory.ranks) ranks.push_back(rank.data());
  frame.ranks = ranks.data();
  interpret(plan, frame);
}

}  // namespace pto::jit::cli
