// Into how many parts a call is dealt out, and where one ends and the next begins. Speed only: any
// choice leaves the same memory.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/parts.h"
#include "jit/calls/parallel/parallel.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

// All pieces, in order. One part, or none, where the call stays whole.
struct Dealt {
  std::int64_t pieces = 0;
  std::vector<PartRange> parts = {};
};

// Whether any number of threads would be faster than one. Quick, for small calls ask it too.
bool is_worth_sharing(const KernelPlan& plan, const Frame& frame, const HostFeatures& host);

// `parallel.threads` is a number of threads that there are.
Dealt deal_out(const KernelPlan& plan, const Frame& frame, const Parallel& parallel,
               const HostFeatures& host);

}  // namespace pto::jit
