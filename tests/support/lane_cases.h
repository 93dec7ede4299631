// Groups of indices in which one lane or two are in range, or out of it: each lane, each pair,
// under every policy, for units of every class of length.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jit/compile/compile.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

struct NamedKernel {
  std::string name;
  Kernel kernel;
};

// Makes the kernels of each case, runs them on each pattern of lanes and compares what they leave
// with what the interpreter does. Prints and returns how many runs that took.
std::size_t run_lane_cases(
    const std::function<std::vector<NamedKernel>(const LegalSpec& legal)>& make);

}  // namespace pto::jit::tests
