// Passes put together. Every pass of a run is a process of its own: where code and operands happen
// to lie makes some cells a third faster or slower, differs from process to process, and stays for
// the whole of one.
#pragma once

#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

inline constexpr int kMostPasses = 12;  // a spread looks at all halves of them

// Of each figure the best time of each contestant, and for each letter the best contestant. What is
// alike in all passes is taken from the first.
Results together(const std::vector<Results>& passes);

}  // namespace pto::jit::bench
