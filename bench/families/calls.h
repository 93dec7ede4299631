// What a kernel costs before it moves anything: compiling it, finding it again, calling it.
#pragma once

#include <string>
#include <vector>

#include "bench/ratio.h"

namespace pto::jit::bench {

struct CallFigure {
  std::string name;
  double nanoseconds = 0;
  int goal = 0;        // its number
  double at_most = 0;  // nanoseconds
  bool is_met() const { return nanoseconds <= at_most; }
};

std::vector<CallFigure> time_calls(const Effort& effort);

}  // namespace pto::jit::bench
