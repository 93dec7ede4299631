// ptojit_bench: every family of kernels against static C++, a dispatched loop and the limits of the
// machine, and what calls and compiles cost, in one table; and what is made of such a table.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <optional>

#include "bench/calls.h"
#include "bench/families/cells.h"
#include "bench/families/contest.h"
#include "bench/machine.h"
#include "bench/report/compare.h"
#include "bench/report/page.h"
#include "bench/report/pictures.h"
#include "bench/report/table.h"
#include "jit/cli/input_file.h"

namespace pto::jit::bench {
namespace {

struct Options {
  std::string filter;
  bool json = false;
  bool is_quick = false;
  bool check = false;
  std::string out;
  std::string from;
  std::string compare;
  std::vector<std::string> pages;
  std::string pictures;

  bool prints_lines() const { return !json && !check; }
  int passes() const { return check ? 1 : 7; }
  Effort effort() const {
    if (check) return {.repetitions = 1, .repetition = std::chrono::nanoseconds(0)};
    if (is_quick) return {.repetitions = 5, .repetition = std::chrono::microseconds(150)};
    return {.repetitions = 9, .repetition = std::chrono::microseconds(300)};
  }
};

bool is_wanted(const Cell& cell, const Options& options) {
  const std::string name = std::string(name_of(cell.family)) + " " + name_of(cell);
  if (options.filter.empty()) return !((options.is_quick || options.check) && is_dram(cell.home));
  return name.find(options.filter) != std::string::npos;
}

// All cells, then all of them again, so that what disturbs the machine for a while does not meet
// all turns of a cell.
Result<std::vector<Figure>> time_cells(const Options& options) {
  std::vector<Contest> contests;
  for (const Cell& cell : kCells) {
    if (is_wanted(cell, options)) contests.emplace_back(cell);
  }
  std::vector<Figure> out;
  for (int pass = 1; pass <= options.passes(); ++pass) {
    const bool is_last = pass == options.passes();
    for (Contest& contest : contests) {
      if (Result<Done> held = contest.hold(options.effort()); !held) return held.error();
      if (!is_last) continue;
      out.push_back(contest.figure());
      if (options.prints_lines()) print_line(std::cout, out.back());
    }
    if (!is_last && isatty(STDERR_FILENO) != 0)
      std::cerr << "pass " << pass << " of " << options.passes() << '\n';
  }
  return out;
}

Result<Results> measure(const Options& options) {
  Results out = {.machine = this_machine(), .figures = {}};
  out.machine.effort = options.is_quick ? "quick" : "full";
  if (options.prints_lines()) print_header(std::cout, out.machine);
  Result<std::vector<Figure>> cells = time_cells(options);
  if (!cells) return cells.error();
  out.figures = std::move(*cells);
  if (options.check) return out;
  for (const Figure& figure : time_calls({options.filter, options.is_quick})) {
    if (options.prints_lines()) print_line(std::cout, figure);
    out.figures.push_back(figure);
  }
  return out;
}

Result<Done> write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text << std::flush;
  if (!out) return error("bench.write", "cannot write '" + path + "'");
  return Done{};
}

// The results, what pages make of them, and pictures.
Result<Done> write_all(const Options& options, const Results& results) {
  std::vector<std::pair<std::string, std::string>> files;
  if (!options.out.empty()) files.emplace_back(options.out, as_json(results));
  const std::string& source = options.from.empty() ? options.out : options.from;
  for (const std::string& path : options.pages) {
    const Result<std::string> page = cli::read_text(path);
    if (!page) return page.error();
    const Result<std::string> filled = filled_page(*page, results, source);
    if (!filled) return filled.error();
    files.emplace_back(path, *filled);
  }
  for (const Picture& picture : pictures()) {
    if (options.pictures.empty()) break;
    files.emplace_back(options.pictures + "/" + picture.file, picture.draw(results));
  }
  for (const auto& [path, text] : files) {
    if (Result<Done> done = write_text(path, text); !done) return done.error();
  }
  return Done{};
}

Result<Done> report(const Options& options, const Results& results,
                    const std::optional<Results>& before) {
  if (options.check) {
    std::cout << results.figures.size() << " cells: all contestants leave the same\n";
    return Done{};
  }
  if (options.json) {
    std::cout << as_json(results);
  } else {
    print_summary(std::cout, results);
  }
  if (before) {
    std::cout << '\n';
    print_comparison(std::cout, *before, results);
  }
  return write_all(options, results);
}

// What is to be compared with is read first: measuring takes minutes.
Result<Done> carry_out(const Options& options) {
  std::optional<Results> before;
  if (!options.compare.empty()) {
    Result<Results> read = read_results(options.compare);
    if (!read) return read.error();
    before = std::move(*read);
  }
  const Result<Results> results =
      options.from.empty() ? measure(options) : read_results(options.from);
  if (!results) return results.error();
  if (results->figures.empty()) {
    return error("bench.filter", "nothing holds '" + options.filter + "' in family and case");
  }
  return report(options, *results, before);
}

int run(const Options& options) {
  const Result<Done> done = carry_out(options);
  if (!done) std::cerr << render(done.error());
  return done ? 0 : 1;
}

bool is_for_google_benchmark(std::string_view argument) {
  return argument.starts_with("--benchmark_");
}

}  // namespace
}  // namespace pto::jit::bench

int main(int argc, char** argv) {
  using namespace pto::jit::bench;
  if (std::any_of(argv, argv + argc, is_for_google_benchmark))
    return run_google_benchmark(argc, argv);
  Options options;
  CLI::App app(
      "Times kernels, calls and compiles. With --benchmark_* only Google Benchmark runs, on calls "
      "and compiles.");
  app.add_option("--filter", options.filter, "Only what holds this text in family and case");
  app.add_flag("--quick", options.is_quick,
               "Shorter repetitions; no tables in DRAM unless filtered for");
  app.add_flag("--check", options.check, "No figures: only whether all contestants do the same");
  app.add_flag("--json", options.json, "Figures for programs, in place of the table");
  app.add_option("--out", options.out, "A file to keep the figures in, as --json has them");
  app.add_option("--from", options.from, "A file of figures to take instead of measuring");
  app.add_option("--compare", options.compare,
                 "A file of figures, or of Google Benchmark's: what has moved since then");
  app.add_option("--markdown", options.pages, "Pages whose figures are made anew");
  app.add_option("--svg", options.pictures, "A folder to draw the pictures in");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
