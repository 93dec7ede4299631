// Made-up operands that several kernels of one operation can be run on, each on a copy of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "ir/result.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit {

class MadeMemory {
 public:
  // Room for what any of the targets may touch. Indices repeat now and then; where the operation
  // has an answer to an index beyond the capacity, on one target at least, some are. Those that
  // ignore the answer find memory there too.
  static Result<MadeMemory> make(std::span<const BoundSpec> targets, std::uint32_t seed);

  // What this memory becomes when `kernel` has run on it with the extents of `target`.
  OperandStore after(const BoundSpec& target,
                     const std::function<void(const Frame&)>& kernel) const;

  // Whether a kernel of this plan stays inside.
  bool has_room_for(const KernelSpec& bound, const KernelPlan& plan) const;

 private:
  MadeMemory(OperandStore store, std::uint64_t greatest_index)
      : store_(std::move(store)), greatest_index_(greatest_index) {}

  OperandStore store_;
  std::uint64_t greatest_index_;
};

}  // namespace pto::jit
