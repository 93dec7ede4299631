// The goals of docs/performance.md, cell by cell.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/families/cell.h"

namespace pto::jit::bench {

// Whose time is held against the kernel's: a letter, or the best that does the same. Met when it is
// at least `factor` times the kernel's, or the limit's so many times; `allows_spread` gives way by
// the spread. bench/report judges.
struct Goal {
  int number;
  const char* against;
  double factor;
  double or_limit = 0;
  bool allows_spread = false;
};

std::vector<Goal> goals_of(const Cell& cell);

// What L is for a cell.
enum class Limit : std::uint8_t { None, OnePiece, StringMove, Libc, Loads, Stores, Fill, Copy };

Limit limit_of(const Cell& cell);

}  // namespace pto::jit::bench
