// The figures as docs/performance.md shows them.
#pragma once

#include <iosfwd>
#include <vector>

#include "bench/families/calls.h"
#include "bench/families/contest.h"

namespace pto::jit::bench {

void print_markdown(std::ostream& out, const std::vector<CellFigures>& all,
                    const std::vector<CallFigure>& calls);

}  // namespace pto::jit::bench
