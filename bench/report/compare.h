// Two runs held against each other: what moved by more than the spread of both.
#pragma once

#include <iosfwd>
#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

struct Move {
  const Figure* before = nullptr;
  const Figure* now = nullptr;
  double faster = 1;   // now as many times as fast as before
  double allowed = 0;  // by both spreads together

  bool is_beyond_spread() const;
};

// Figures that both have, in the order of `now`. Where both have opponents the ratio to the best of
// them is compared, else nanoseconds.
std::vector<Move> moves_between(const Results& before, const Results& now);

void print_comparison(std::ostream& out, const Results& before, const Results& now);

}  // namespace pto::jit::bench
