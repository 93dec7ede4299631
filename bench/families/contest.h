// From a cell to its figure: contestants that provably do the same, timed in turns.
#pragma once

#include <string>
#include <vector>

#include "bench/families/contestants.h"
#include "bench/families/goals.h"
#include "bench/report/figure.h"
#include "ir/result.h"

namespace pto::jit::bench {

std::string name_of(const Cell& cell);

// A contest is held several times, each time in memory of its own, because some of what makes a
// cell slow depends on where its operands happen to lie. Each time counts by the fastest
// repetition, as what disturbs only ever adds.
class Contest {
 public:
  explicit Contest(const Cell& cell) : cell_(&cell) {}

  // The first time a contestant whose result differs from the kernel's is an error.
  Result<Done> hold(const Effort& effort);

  Figure figure() const;

  struct Entry {
    Part part;
    bool does_the_same;
    Series series;
  };

 private:
  const Cell* cell_;
  std::vector<Entry> entries_;  // of the kernel first
};

}  // namespace pto::jit::bench
