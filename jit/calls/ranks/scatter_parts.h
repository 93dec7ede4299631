// What a scatter does before it moves anything, for those who bring the data to the ranks in their
// own way.
#pragma once

#include <utility>
#include <vector>

#include "ir/frame.h"
#include "ir/result.h"
#include "jit/calls/ranks/scatter.h"
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
class DirectScatter {
 public:
  static Result<DirectScatter> make(const ParallelGroup& group, const CheckedScatter& checked,
                                    const CompileOptions& options);

  void run();

 private:
  DirectScatter(Kernel kernel, const Frame& frame, std::vector<void*> ranks)
      : kernel_(std::move(kernel)), frame_(frame), ranks_(std::move(ranks)) {}

  Kernel kernel_;
  Frame frame_;
  std::vector<void*> ranks_;
};

// Kernels for its parts.
Result<Delivery> make_delivery(const CheckedScatter& checked, const ScatterOptions& options);

}  // namespace pto::jit
