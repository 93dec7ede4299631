// ptojit_bench: every family of kernels against static C++, a dispatched loop and the limits of the
// machine, and what calls and compiles cost, in one table; and what is made of such a table.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>

#include "bench/calls.h"
#include "bench/measure.h"
#include "bench/report/compare.h"
#include "bench/report/page.h"
#include "bench/report/passes.h"
#include "bench/report/pictures.h"
#include "bench/report/table.h"
#include "jit/cli/files.h"
#include "jit/cli/input_file.h"

namespace pto::jit::bench {
namespace {

struct Options {
  Wish wish;
  bool json = false;
  bool check = false;
  bool is_pass = false;
  std::string out;
  std::string from;
  std::string compare;
  std::vector<std::string> pages;
  std::string pictures;
};

// The results, what pages make of them, and pictures.
Result<Done> write_all(const Options& options, const Results& results) {
  std::vector<cli::OutputFile> files;
  if (!options.out.empty()) files.push_back(cli::text_file(options.out, as_json(results)));
  const std::string& source = options.from.empty() ? options.out : options.from;
  for (const std::string& path : options.pages) {
    const Result<std::string> page = cli::read_text(path);
    if (!page) return page.error();
    const Result<std::string> filled = filled_page(*page, results, source);
    if (!filled) return filled.error();
    files.push_back(cli::text_file(path, *filled));
  }
  for (const Picture& picture : pictures()) {
    if (options.pictures.empty()) break;
    const std::string path = options.pictures + "/" + picture.file;
    files.push_back(cli::text_file(path, picture.draw(results)));
  }
  return cli::write_files(files);
}

Result<Done> report(const Options& options, const Results& results,
                    const std::optional<Results>& before) {
  if (options.json) {
    std::cout << as_json(results);
  } else {
    print_table(std::cout, results);
  }
  if (before) {
    std::cout << '\n';
    print_comparison(std::cout, *before, results);
  }
  return write_all(options, results);
}

// Tables in DRAM are left out, as by --quick: others of their shape are there.
Result<Done> check(Wish wish) {
  wish.is_quick = true;
  const Result<std::size_t> cells = check_cells(wish);
  if (!cells) return cells.error();
  std::cout << *cells << " cells: all contestants leave the same\n";
  return Done{};
}

// What is to be compared with is read first: measuring takes minutes.
Result<Done> measure_and_report(const Options& options) {
  std::optional<Results> before;
  if (!options.compare.empty()) {
    Result<Results> read = read_results(options.compare);
    if (!read) return read.error();
    before = std::move(*read);
  }
  const Result<Results> results =
      options.from.empty() ? measure(options.wish) : read_results(options.from);
  if (!results) return results.error();
  if (results->figures.empty()) {
    return error("bench.filter", "nothing holds '" + options.wish.filter + "' in family and case");
  }
  return report(options, *results, before);
}

Result<Done> carry_out(const Options& options) {
  if (options.check) return check(options.wish);
  if (!options.is_pass) return measure_and_report(options);
  const Result<Results> pass = take_pass(options.wish);
  if (!pass) return pass.error();
  return write_all(options, *pass);
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
  app.add_option("--filter", options.wish.filter, "Only what holds this text in family and case");
  app.add_flag("--quick", options.wish.is_quick,
               "Shorter repetitions; no tables in DRAM unless filtered for");
  app.add_option("--passes", options.wish.passes, "Processes that measure, one after the other")
      ->check(CLI::Range(1, kMostPasses))
      ->capture_default_str();
  app.add_flag("--pass", options.is_pass, "One of them: a file for --out, nothing printed");
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
