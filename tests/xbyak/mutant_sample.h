// Which kernels are mutated: a fixed draw from the grid that meets every operation, combine, policy
// and feature level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/plan.h"
#include "tests/support/grid.h"
#include "tests/xbyak/code_levels.h"

namespace pto::jit::tests {

struct Sample {
  GridCase entry;
  KernelPlan plan;
  Strategy strategy;
};

// Only kernels whose loops go round more than once and whose indices have a choice: in others there
// is nothing a loop or an index could do wrong. Levels the host lacks are left out.
std::vector<Sample> draw_samples(std::size_t count, std::uint32_t seed);

}  // namespace pto::jit::tests
