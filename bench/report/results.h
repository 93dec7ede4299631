// A run of the benchmarks: its figures and the machine it was taken on, in a file and out of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/figure.h"
#include "ir/result.h"

namespace pto::jit::bench {

struct Machine {
  std::string processor;
  int cores = 0;
  std::size_t l1 = 0;  // bytes
  std::size_t l2 = 0;
  std::size_t l3 = 0;
  std::string gathers;      // "fast" or "slow", as measured at start-up
  std::string string_move;  // from how many bytes on, as measured at start-up
  std::string large_pages;  // "always", "madvise" or "never"
  std::string effort;       // "full" or "quick"
  double load = 0;          // processes that wanted to run when it began

  bool operator==(const Machine&) const = default;
};

struct Results {
  Machine machine;
  std::vector<Figure> figures;

  bool operator==(const Results&) const = default;

  const Figure* find(std::string_view family, std::string_view name) const;
};

std::string as_json(const Results& results);

// Takes what as_json makes and what Google Benchmark's --benchmark_format=json prints.
Result<Results> results_from_json(const std::string& text);

Result<Results> read_results(const std::string& path);

}  // namespace pto::jit::bench
