// The goals of docs/performance.md, cell by cell.
#pragma once

#include <string_view>
#include <vector>

#include "bench/families/cell.h"

namespace pto::jit::bench {

// Whose time is held against the kernel's.
enum class Against : std::uint8_t {
  Static,          // S
  Literal,         // static C++ as the definition reads
  Dispatched,      // R
  Limit,           // L
  StaticAndLimit,  // the better of S and L
  SameKernel       // the kernel's own sibling: undefined instead of a policy, static extents
};

// One letter, as tables have it.
std::string_view name_of(Against against);

// Met when the opponent's time is at least `factor` times the kernel's; `allows_spread` gives way
// by the spread, at most 5 %.
struct Goal {
  int number;
  Against against;
  double factor;
  bool allows_spread = false;
};

std::vector<Goal> goals_of(const Cell& cell);

// What L is for a cell.
enum class Limit : std::uint8_t { None, OnePiece, StringMove, Libc, Loads, Stores, Copy };

Limit limit_of(const Cell& cell);

}  // namespace pto::jit::bench
