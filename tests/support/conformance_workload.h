// A conformance case made into memory: with the extents it binds and the indices it asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tests/support/conformance.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

// How many indices there are, below what they stay, and how far apart sequential ones are.
struct IndexSpace {
  std::size_t count = 0;
  std::uint64_t capacity = 0;
  std::uint64_t unit = 1;
};

// Indices of a pattern by its name in the cases: no_dup, random, same, seq, oob (half of them in
// [capacity, 2 * capacity)), dup, or - for any. Nothing when the name is unknown.
std::optional<std::vector<std::uint32_t>> indices_named(std::string_view pattern,
                                                        const IndexSpace& space,
                                                        std::uint32_t seed);

// Puts `indices` into the valid region of the workload's index tile, row by row. Padding gets
// indices that nobody may follow.
void set_indices(Workload& load, const std::vector<std::uint32_t>& indices);

// Nothing when the case cannot be run, which is a test failure.
std::optional<Workload> make_workload(const ConformanceCase& entry, std::uint32_t seed);

}  // namespace pto::jit::tests
