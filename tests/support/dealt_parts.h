// A call done in parts, whoever does them: dealt out evenly or anyhow, in an order of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/parts.h"

namespace pto::jit::tests {

inline constexpr int kPartCounts[] = {1, 2, 3, 7, 64};

// So many parts of all pieces, or fewer where there are not as many; the longest is at most one
// piece longer than the shortest, or, with a seed, they are as long as it happens.
std::vector<PartRange> even_parts(std::int64_t pieces, int parts);
std::vector<PartRange> uneven_parts(std::int64_t pieces, int parts, std::uint32_t seed);

// Runs the parts in an order that the seed gives.
void run_shuffled(const KernelPlan& plan, const Frame& frame, std::vector<PartRange> parts,
                  std::uint32_t seed, const std::function<void(const Frame&)>& kernel);

}  // namespace pto::jit::tests
