// OperandStore: the memory of one call, operand by operand, and the frame that points into it.
// Where the bytes come from, and what is in them, is up to a source: files, zeros, somebody else's
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/operands.h"
#include "ir/plan.h"
#include "ir/result.h"

namespace pto::jit {

// Bytes and what keeps them alive, which copies share; no owner: the bytes are somebody else's.
struct Storage {
  std::span<std::byte> bytes;
  std::shared_ptr<const void> owner = {};
};

// Zeros take no memory until they are touched, so that a huge and mostly empty table can be run.
// `what` is named when there is not enough memory.
Result<Storage> zeros(std::int64_t bytes, const std::string& what);
Storage holding(std::vector<std::byte> bytes);

// Memory that could not be had: an error like any other.
Diagnostic out_of_memory(const std::string& what);

struct StorageRequest {
  std::optional<MemoryOperand> operand;  // nothing: the scratch of an audit
  std::string name;                      // for people
  std::int64_t bytes = 0;                // of the whole storage
  std::int64_t touched = 0;              // of these, what has to be there
};
using StorageSource = std::function<Result<Storage>(const StorageRequest& wanted)>;

// The source of stores that are filled later.
Result<Storage> zeros_for(const StorageRequest& wanted);

class OperandStore {
 public:
  struct Held {
    MemoryOperand operand;
    std::string name;  // "src", "dst.2"
    Storage storage;

    std::span<std::byte> bytes() const { return storage.bytes; }
  };

  // For a kernel whose runtime dimensions are `bound`.
  static Result<OperandStore> make(const KernelSpec& bound, const KernelPlan& plan,
                                   const StorageSource& source = zeros_for);

  // Points into this object's memory, wherever the object is moved.
  const Frame& frame() const { return frame_; }
  const AuditReport& report() const { return *report_; }

  // In the order of the text, ranks one by one.
  std::span<const Held> operands() const { return held_; }
  std::span<std::byte> bytes_of(const MemoryOperand& operand) const;

  // What this one holds now, in memory of its own, for another kernel on the same operands.
  OperandStore copy_for(const KernelSpec& bound, const KernelPlan& plan) const;

  // Whether every operand holds the same bytes.
  bool holds_same(const OperandStore& other) const;

 private:
  void take(Op op, Held held);

  Frame frame_;
  std::vector<Held> held_;
  std::vector<void*> ranks_;
  std::unique_ptr<AuditReport> report_ = std::make_unique<AuditReport>();
  Storage scratch_;
};

}  // namespace pto::jit
