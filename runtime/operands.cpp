#include "runtime/operands.h"

#include <algorithm>
#include <utility>

#include "ir/storage.h"
#include "runtime/large_buffer.h"

namespace pto::jit {

using Bytes = std::vector<std::byte>;

Diagnostic out_of_memory(const std::string& what) {
  return error("memory.allocate", "there is not enough memory for " + what);
}

Result<Storage> zeros(std::int64_t bytes, const std::string& what) {
  const auto size = static_cast<std::size_t>(bytes);
  Result<LargeBuffer> memory = LargeBuffer::make(std::max<std::size_t>(size, 1));  // never null
  if (!memory) return out_of_memory(what + ", " + std::to_string(bytes) + " bytes");
  const auto owner = std::make_shared<const LargeBuffer>(std::move(*memory));
  return Storage{owner->bytes().first(size), owner};
}

Result<Storage> zeros_for(const StorageRequest& wanted) { return zeros(wanted.bytes, wanted.name); }

Storage holding(Bytes bytes) {
  bytes.reserve(1);  // never null
  const auto owner = std::make_shared<Bytes>(std::move(bytes));
  return {*owner, owner};
}

Result<OperandStore> OperandStore::make(const KernelSpec& bound, const KernelPlan& plan,
                                        const StorageSource& source) {
  OperandStore out;
  out.frame_ = frame_of(bound);
  for (const MemoryOperand& operand : memory_operands(bound)) {
    const std::int64_t bytes = storage_bytes(bound, operand.role, plan, out.frame_);
    std::string name = name_of(bound, operand);
    const std::int64_t touched = touched_bytes(bound, operand.role, plan, out.frame_);
    Result<Storage> storage = source({operand, name, bytes, touched});
    if (!storage) return std::move(storage).error();
    out.take(bound.op, {operand, std::move(name), std::move(*storage)});
  }
  out.frame_.ranks = out.ranks_.data();
  out.frame_.report = out.report_.get();
  const std::int64_t scratch = scratch_bytes(plan, out.frame_);
  if (scratch == 0) return out;
  Result<Storage> storage = source({std::nullopt, "the audit", scratch, scratch});
  if (!storage) return std::move(storage).error();
  out.scratch_ = std::move(*storage);
  out.frame_.scratch = out.scratch_.bytes.data();
  return out;
}

void OperandStore::take(Op op, Held held) {
  if (held.operand.rank < 0) {
    set_buffer(frame_, op, held.operand.role, held.bytes().data());
  } else {
    ranks_.push_back(held.bytes().data());
  }
  held_.push_back(std::move(held));
}

std::span<std::byte> OperandStore::bytes_of(const MemoryOperand& operand) const {
  const auto found = std::ranges::find(held_, operand, &Held::operand);
  return found == held_.end() ? std::span<std::byte>() : found->bytes();
}

OperandStore OperandStore::copy_for(const KernelSpec& bound, const KernelPlan& plan) const {
  return *make(bound, plan, [this](const StorageRequest& wanted) -> Result<Storage> {
    if (!wanted.operand) return holding(Bytes(static_cast<std::size_t>(wanted.bytes)));
    const std::span<const std::byte> bytes = bytes_of(*wanted.operand);
    return holding({bytes.begin(), bytes.end()});
  });
}

bool OperandStore::holds_same(const OperandStore& other) const {
  return std::ranges::equal(held_, other.held_, [](const Held& a, const Held& b) {
    return std::ranges::equal(a.bytes(), b.bytes());
  });
}

}  // namespace pto::jit
