// Made-up operands that several kernels of one operation can be run on, each on a copy of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit {

// A target's kernel with its runtime dimensions bound.
struct BoundTarget {
  LegalSpec legal;
  KernelSpec bound;
  KernelPlan plan;
};

// One operand in memory; a rank's destination has a name of its own: "dst.2".
struct MadeOperand {
  std::string name;
  Role role = Role::Data;
  std::vector<std::byte> bytes;

  bool operator==(const MadeOperand&) const = default;
};

class MadeMemory {
 public:
  // Room for what any of the targets may touch. Indices repeat now and then; where the operation
  // has an answer to an index beyond the capacity, on one target at least, some are. Those that
  // ignore the answer find memory there too.
  static Result<MadeMemory> make(std::span<const BoundTarget> targets, std::uint32_t seed);

  const std::vector<MadeOperand>& operands() const { return operands_; }
  const AuditReport& report() const { return report_; }

  // What this memory becomes when `kernel` has run on it with the extents of `target`.
  MadeMemory after(const BoundTarget& target,
                   const std::function<void(const Frame&)>& kernel) const;

  // Whether a kernel of this plan stays inside.
  bool has_room_for(const BoundTarget& target) const;

 private:
  std::vector<MadeOperand> operands_;
  std::uint64_t greatest_index_ = 0;
  AuditReport report_;
};

}  // namespace pto::jit
