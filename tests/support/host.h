// Running generated code here: the feature levels of the host, best first, and kernels that need
// scratch memory.
#pragma once

#include <string>
#include <vector>

#include "tests/support/workload.h"

namespace pto::jit::tests {

struct HostLevel {
  std::string name;
  bool avx2 = false;
  bool avx512 = false;
};

std::vector<HostLevel> host_levels();

// As run_guarded, with what the audit needs; scratch memory is dirty at the start.
Image run_with_scratch(const Workload& load, Guard guard, void (*entry)(const Frame*));

}  // namespace pto::jit::tests
