// What a scatter does before it moves anything, for those who bring the data to the ranks in their
// own way.
#pragma once

#include "ir/result.h"
#include "jit/ranks/scatter.h"
#include "runtime/ranks/delivery.h"
#include "targets/binding.h"

namespace pto::jit {

struct CheckedScatter {
  BoundSpec kernel;
  std::byte* source;
};

// Holds spec, group and source against each other.
Result<CheckedScatter> check_scatter(const ParallelGroup& group, const KernelSpec& spec,
                                     const BufferView& source, const ScatterOptions& options);

// To ranks that are all in reach, by one kernel.
Result<Done> scatter_directly(const ParallelGroup& group, const CheckedScatter& checked,
                              const CompileOptions& options);

// Kernels for its parts.
Result<Delivery> make_delivery(const CheckedScatter& checked, const CompileOptions& options);

}  // namespace pto::jit
