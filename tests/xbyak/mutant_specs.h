// Kernels longer than those of the grid: several turns of four groups of sixteen, groups left over
// and single indices behind them; rows of every length a copy has a way for.
#pragma once

#include <vector>

#include "tests/support/grid.h"

namespace pto::jit::tests {

std::vector<GridCase> long_cases();

}  // namespace pto::jit::tests
