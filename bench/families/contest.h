// From a cell to its figures: contestants that provably do the same, timed in turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/families/goals.h"
#include "bench/ratio.h"
#include "ir/result.h"

namespace pto::jit::bench {

struct Verdict {
  Goal goal;
  double ratio = 0;  // the opponent's time over the kernel's
  bool is_met = false;
};

// Times in nanoseconds a call.
struct CellFigures {
  Cell cell;
  std::string name;  // home, indices and spec
  double units = 0;  // indices, or elements where there are none
  double bytes = 0;  // moved by one call
  double kernel = 0;
  std::optional<double> best_static;
  std::string static_compiler;
  std::optional<double> literal;
  std::optional<double> dispatched;
  std::optional<double> limit;
  std::string limit_name;
  std::optional<double> sibling;
  double spread = 0;
  std::vector<Verdict> verdicts;
};

std::string name_of(const Cell& cell);

// A contestant whose result differs from the kernel's is an error.
Result<CellFigures> hold_contest(const Cell& cell, const Effort& effort);

}  // namespace pto::jit::bench
