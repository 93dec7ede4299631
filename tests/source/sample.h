// What the tests of emitted kernels run: a seeded sample of the grid, and the comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "targets/verify.h"
#include "tests/support/emulated.h"
#include "tests/support/grid.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {

// `size` cases that are accepted; every (target, operation, dtype) gets its share.
std::vector<GridCase> sample_of_grid(SampleSize size, std::uint64_t seed,
                                     const std::function<bool(const LegalSpec&)>& accept);

// Runs all cases and expects what the interpreter leaves.
void expect_equal(const std::vector<EmulatedCase>& cases, const HostSetting& setting = {});

}  // namespace pto::jit::tests
