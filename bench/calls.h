// What a kernel costs before it moves anything: compiling it, finding it again, calling it. The
// benchmarks are Google Benchmark's; this runs them.
#pragma once

#include <string>
#include <vector>

#include "bench/report/figure.h"

namespace pto::jit::bench {

struct CallWish {
  std::string filter;  // only benchmarks whose family and case hold this text
  bool is_quick = false;
};

std::vector<Figure> time_calls(const CallWish& wish);

// Gives figures of calls and compiles the goals they have.
void add_call_goals(std::vector<Figure>& figures);

// Google Benchmark with its own options and its own output.
int run_google_benchmark(int argc, char** argv);

}  // namespace pto::jit::bench
