// ptojit_families: every family of kernels against static C++, a dispatched loop and the limits of
// the machine, in turns within this process.
#include <CLI/CLI.hpp>
#include <iostream>

#include "bench/families/cells.h"
#include "bench/families/markdown.h"
#include "bench/families/report.h"

namespace pto::jit::bench {

namespace {

struct Options {
  std::string filter;
  bool json = false;
  bool markdown = false;
  bool quick = false;
  bool check = false;

  bool prints_lines() const { return !json && !markdown && !check; }
};

bool is_wanted(const Cell& cell, const Options& options) {
  const std::string name = std::string(name_of(cell.family)) + " " + name_of(cell);
  if (options.filter.empty()) return !((options.quick || options.check) && is_dram(cell.home));
  return name.find(options.filter) != std::string::npos;
}

int run(const Options& options) {
  Effort effort;
  if (options.check) effort = {.repetitions = 1, .repetition = std::chrono::nanoseconds(0)};
  if (options.quick) effort = {.repetitions = 11, .repetition = std::chrono::microseconds(150)};
  std::vector<CellFigures> all;
  if (options.prints_lines()) print_header(std::cout);
  for (const Cell& cell : kCells) {
    if (!is_wanted(cell, options)) continue;
    Result<CellFigures> figures = hold_contest(cell, effort);
    if (!figures) {
      std::cerr << name_of(cell) << '\n' << render(figures.error());
      return 1;
    }
    if (options.prints_lines()) print_line(std::cout, *figures);
    all.push_back(std::move(*figures));
  }
  if (options.check) {
    std::cout << all.size() << " cells: all contestants leave the same\n";
    return 0;
  }
  std::vector<CallFigure> calls;
  if (std::string("calls").find(options.filter) != std::string::npos) calls = time_calls(effort);
  if (options.json) {
    print_json(std::cout, all, calls);
  } else if (options.markdown) {
    print_markdown(std::cout, all, calls);
  } else {
    print_summary(std::cout, all);
    print_calls(std::cout, calls);
  }
  return 0;
}

}  // namespace
}  // namespace pto::jit::bench

int main(int argc, char** argv) {
  pto::jit::bench::Options options;
  CLI::App app("Times families of kernels against other contestants");
  app.add_option("--filter", options.filter, "Only cells whose family and case hold this text");
  app.add_flag("--json", options.json, "Machine-readable output");
  app.add_flag("--markdown", options.markdown, "The tables of docs/performance.md");
  app.add_flag("--quick", options.quick,
               "Shorter repetitions; no tables in DRAM unless filtered for");
  app.add_flag("--check", options.check, "No figures: only whether all contestants do the same");
  CLI11_PARSE(app, argc, argv);
  return pto::jit::bench::run(options);
}
