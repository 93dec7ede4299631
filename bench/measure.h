// A run of the benchmarks: passes over everything that is wished for, each a process of its own,
// and what they say together.
#pragma once

#include <string>

#include "bench/report/results.h"
#include "ir/result.h"

namespace pto::jit::bench {

struct Wish {
  std::string filter;  // only what holds this text in family and case
  bool is_quick = false;
  int passes = 10;
};

// Whether the contestants of all cells leave the same; how many cells there were.
Result<std::size_t> check_cells(const Wish& wish);

// One pass, in this process.
Result<Results> take_pass(const Wish& wish);

// All passes. The program is started anew for each of them, with --pass.
Result<Results> measure(const Wish& wish);

}  // namespace pto::jit::bench
