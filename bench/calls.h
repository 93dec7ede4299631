// What calls, lookups and compiles cost: Google Benchmark's cases.
#pragma once

#include <string>

namespace pto::jit::bench {

// Three short repetitions each, in random order; only what holds `filter`. The text is Google
// Benchmark's JSON, "null" where nothing is asked for.
std::string time_calls(const std::string& filter, bool is_quick);

// With its own options, for one thing alone.
int run_google_benchmark(int argc, char** argv);

}  // namespace pto::jit::bench
