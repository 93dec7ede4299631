// A call done in parts, for those who have verified and planned it.
#pragma once

#include "ir/plan.h"
#include "jit/calls/parallel/invoke_parallel.h"
#include "targets/verify.h"

namespace pto::jit {

// Whether numbers of threads and parts are ones that can be asked for.
Result<Done> check(const Parallel& parallel);

// In how many parts a call would be done.
Result<int> parts_of_call(const KernelPlan& plan, const Frame& frame, const Parallel& parallel);

// `plan` is that of `legal`.
Result<Done> run_parallel(const LegalSpec& legal, const KernelPlan& plan, const Frame& frame,
                          const InvokeOptions& options);

}  // namespace pto::jit
