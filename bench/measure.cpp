#include "bench/measure.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "bench/calls.h"
#include "bench/families/cells.h"
#include "bench/families/contest.h"
#include "bench/families/goals.h"
#include "bench/machine.h"
#include "bench/report/passes.h"
#include "jit/emulation/process.h"

namespace pto::jit::bench {
namespace {

Effort effort_of(const Wish& wish) {
  if (wish.is_quick) return {.repetitions = 9, .repetition = std::chrono::microseconds(150)};
  return {.repetitions = 7, .repetition = std::chrono::microseconds(300)};
}

// Tables in DRAM take minutes to fill.
std::vector<const Cell*> cells_of(const Wish& wish) {
  std::vector<const Cell*> out;
  for (const Cell& cell : kCells) {
    const std::string name = std::string(name_of(cell.family)) + " " + name_of(cell);
    const bool is_wanted = wish.filter.empty() ? !(wish.is_quick && is_dram(cell.home))
                                               : name.find(wish.filter) != std::string::npos;
    if (is_wanted) out.push_back(&cell);
  }
  return out;
}

void add_goals(const Wish& wish, Results& results) {
  for (const Cell* cell : cells_of(wish)) {
    for (Figure& figure : results.figures) {
      if (figure.family == name_of(cell->family) && figure.name == name_of(*cell))
        judge(*cell, figure);
    }
  }
  add_call_goals(results.figures);
}

constexpr const char* kFigures = "figures";

std::vector<std::string> command_of(const Wish& wish, const Scratch& folder) {
  std::error_code ignored;  // a program without a name is none that starts
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::vector<std::string> out = {self.string(), "--pass", "--out", (folder / kFigures).string()};
  if (wish.is_quick) out.emplace_back("--quick");
  if (!wish.filter.empty()) out.insert(out.end(), {"--filter", wish.filter});
  return out;
}

Result<Results> pass_apart(const Wish& wish, bool is_last) {
  const Result<Scratch> folder = Scratch::make();
  if (!folder) return folder.error();
  const Limits limits = {.seconds = 1800, .memory_bytes = std::int64_t{1} << 46};
  const ProcessEnd end = run_apart(command_of(wish, *folder), *folder, limits);
  const std::string printed = folder->read(kOutput, std::size_t{1} << 20);
  if (end.how != End::Exited || end.code != 0) {
    return error("bench.pass", "a pass did not come to its end" +
                                   (printed.empty() ? "" : ", having printed: " + printed));
  }
  if (is_last) std::cerr << printed;  // what this build cannot run
  return read_results((*folder / kFigures).string());
}

}  // namespace

Result<std::size_t> check_cells(const Wish& wish) {
  const std::vector<const Cell*> cells = cells_of(wish);
  for (const Cell* cell : cells) {
    if (Result<Done> same = check_contest(*cell); !same) return same.error();
  }
  return cells.size();
}

Result<Results> take_pass(const Wish& wish) {
  Results out = {.machine = this_machine(), .figures = {}};
  out.machine.effort = wish.is_quick ? "quick" : "full";
  for (const Cell* cell : cells_of(wish)) {
    Result<Figure> figure = time_contest(*cell, effort_of(wish));
    if (!figure) return figure.error();
    out.figures.push_back(std::move(*figure));
  }
  for (Figure& figure : time_calls({wish.filter, wish.is_quick})) {
    out.figures.push_back(std::move(figure));
  }
  return out;
}

Result<Results> measure(const Wish& wish) {
  if (Result<std::size_t> same = check_cells(wish); !same) return same.error();
  std::vector<Results> passes;
  for (int pass = 1; pass <= wish.passes; ++pass) {
    if (isatty(STDERR_FILENO) != 0) std::cerr << "pass " << pass << " of " << wish.passes << '\n';
    Result<Results> taken = pass_apart(wish, pass == wish.passes);
    if (!taken) return taken.error();
    passes.push_back(std::move(*taken));
  }
  Results out = together(passes);
  add_goals(wish, out);
  return out;
}

}  // namespace pto::jit::bench
