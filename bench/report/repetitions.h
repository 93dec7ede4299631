// What Google Benchmark measures, as figures: the repetitions of each benchmark put together.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/report/figure.h"

namespace pto::jit::bench {

// One repetition of one benchmark. A benchmark that measures by itself says so by counters: `ns`
// in place of the time, and `K` for a sibling.
struct Repetition {
  std::string name;  // "family/case"
  double real_ns = 0;
  double cpu_ns = 0;
  std::map<std::string, double> counters;
};

// One figure a name, in the order in which the names come first.
std::vector<Figure> figures_of(const std::vector<Repetition>& repetitions);

// The member "benchmarks" of --benchmark_format=json.
std::vector<Repetition> repetitions_from_json(const nlohmann::json& benchmarks);

}  // namespace pto::jit::bench
