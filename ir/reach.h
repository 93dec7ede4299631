// Reach: how far into its operands a kernel goes. Nothing behind it has to be there.
#pragma once

#include <cstdint>

#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

// Bytes from the first of an operand to behind the last that is read or written.
struct Reach {
  std::int64_t walked = 0;
  std::int64_t index = 0;
  std::int64_t addressed = 0;  // by any slot in range, whether or not an index names it

  bool operator==(const Reach&) const = default;
};

// `frame` holds the bound extents.
Reach reach_of(const KernelPlan& plan, const Frame& frame);

// Whether no byte is written for two slots or, in walks that lead to where they write, for two
// positions.
bool writes_are_apart(const KernelPlan& plan, const Frame& frame);

// How many bytes of the addressed side in-range slots can reach.
std::int64_t table_reach(const KernelPlan& plan, const Frame& frame);

}  // namespace pto::jit
