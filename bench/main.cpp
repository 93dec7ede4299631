// ptojit_bench: one pass over every family of kernels against static C++, a dispatched loop and the
// limits of the machine, and over what calls and compiles cost. bench/report runs several of them
// and makes tables, pages and pictures of what they print.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/calls.h"
#include "bench/families/cells.h"
#include "bench/families/contest.h"
#include "jit/tools/bench/memory_level.h"
#include "runtime/host/host_features.h"

namespace pto::jit::bench {
namespace {

struct Options {
  std::string filter;
  bool is_quick = false;
  bool check = false;
};

Effort effort_of(const Options& options) {
  if (options.is_quick) return {.repetitions = 9, .repetition = std::chrono::microseconds(150)};
  return {.repetitions = 7, .repetition = std::chrono::microseconds(300)};
}

// Tables in DRAM take minutes to fill.
std::vector<const Cell*> cells_of(const Options& options) {
  std::vector<const Cell*> out;
  for (const Cell& cell : kCells) {
    const std::string name = std::string(name_of(cell.family)) + " " + name_of(cell);
    const bool is_wanted = options.filter.empty() ? !(options.is_quick && is_dram(cell.home))
                                                  : name.find(options.filter) != std::string::npos;
    if (is_wanted) out.push_back(&cell);
  }
  return out;
}

Result<Done> check(const Options& options) {
  const std::vector<const Cell*> cells = cells_of(options);
  for (const Cell* cell : cells) {
    if (Result<Done> same = check_contest(*cell); !same) return same.error();
  }
  std::cout << cells.size() << " cells: all contestants leave the same\n";
  return Done{};
}

// The word in brackets of "always [madvise] never".
std::string large_pages() {
  std::ifstream in("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word;
  while (in >> word) {
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

// As files of results have it.
nlohmann::ordered_json this_machine(const Options& options) {
  const HostFeatures& host = host_features();
  const bool has_string = host.string_from <= host.l3;
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  return {
      {"processor", cli::host_name()},
      {"cores", std::thread::hardware_concurrency()},
      {"l1", host.l1d},
      {"l2", host.l2},
      {"l3", host.l3},
      {"gathers", host.fast_gather ? "fast" : "slow"},
      {"string_move", has_string ? "from " + std::to_string(host.string_from) + " bytes" : "never"},
      {"large_pages", large_pages()},
      {"effort", options.is_quick ? "quick" : "full"},
      {"load", load}};
}

Result<Done> take_pass(const Options& options) {
  const nlohmann::ordered_json machine = this_machine(options);
  auto figures = nlohmann::ordered_json::array();
  for (const Cell* cell : cells_of(options)) {
    Result<nlohmann::ordered_json> figure = time_contest(*cell, effort_of(options));
    if (!figure) return figure.error();
    figures.push_back(std::move(*figure));
  }
  const std::string calls = time_calls(options.filter, options.is_quick);
  std::cout << R"({"machine": )" << machine << R"(, "figures": )" << figures << R"(, "calls": )"
            << calls << "}\n";
  return Done{};
}

}  // namespace
}  // namespace pto::jit::bench

int main(int argc, char** argv) {
  using namespace pto::jit::bench;
  const auto is_for_google = [](std::string_view word) { return word.starts_with("--benchmark_"); };
  if (std::any_of(argv, argv + argc, is_for_google)) return run_google_benchmark(argc, argv);
  Options options;
  CLI::App app(
      "One pass over kernels, calls and compiles, as JSON; `./dev bench` makes tables of several. "
      "With --benchmark_* only Google Benchmark runs, on calls and compiles.");
  app.add_option("--filter", options.filter, "Only what holds this text in family and case");
  app.add_flag("--quick", options.is_quick,
               "Shorter repetitions; no tables in DRAM unless filtered for");
  app.add_flag("--check", options.check, "No figures: only whether all contestants do the same");
  CLI11_PARSE(app, argc, argv);
  const auto done = options.check ? check(options) : take_pass(options);
  if (!done) std::cerr << render(done.error());
  return done && std::cout.flush() ? 0 : 1;
}
