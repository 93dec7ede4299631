// What a whole kernel leaves against what its parts leave, over the grid.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "tests/support/workload.h"

namespace pto::jit::tests {

// What runs the plan of a part or of an audit.
using RunPlan = std::function<void(const KernelPlan&, const Frame&)>;

// The interpreter's whole kernel beside parts made by others, the audit being one of its own.
class PartsComparison {
 public:
  void compare(const Workload& load, const std::string& name, const RunPlan& run);

  // How many calls were really done in parts.
  std::size_t report() const;

 private:
  void run_in_parts(const KernelPlan& plan, const Frame& frame, int parts, const RunPlan& run);

  std::size_t runs_ = 0;
  std::size_t parted_ = 0;
  int failures_ = 0;
};

// Visits the sampled grid, or each `step`-th case of it, with each binding, patterns in turn.
void for_each_parts_workload(const std::function<void(const Workload&)>& visit,
                             std::size_t step = 1);

}  // namespace pto::jit::tests
