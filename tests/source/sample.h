// What the tests of emitted kernels run: a seeded sample of the grid, and the comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "targets/verify.h"
#include "tests/support/emulated.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {

// `count` cases that are accepted; every (target, operation, dtype) gets its share.
std::vector<GridCase> sample_of_grid(std::size_t count, std::uint64_t seed,
                                     const std::function<bool(const LegalSpec&)>& accept);

// `usual`, unless PTOJIT_EMULATED_SPECS asks for more than a test run has time for.
std::size_t sample_size(std::size_t usual);

// Runs all cases and expects what the interpreter leaves.
void expect_equal(const std::vector<EmulatedCase>& cases);

}  // namespace pto::jit::tests
