#include "bench/report/page.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "bench/ratio.h"
#include "bench/report/table.h"
#include "ir/spec_text.h"

namespace pto::jit::bench {
namespace {

using Ratios = std::vector<double>;

struct Made {
  const Results& results;
  const std::string& source;
};

std::string range_of(const Ratios& ratios) {
  return formatted("%.2f, %.2f, %.2f", quantile(ratios, 0), quantile(ratios, 0.5),
                   quantile(ratios, 1));
}

std::string mean_and_range(const Ratios& ratios) {
  if (ratios.empty()) return " | | ";
  return formatted(" | %.2f | ", mean_of(ratios)) + range_of(ratios);
}

// Without the form of the code: "g++ 12.2.0, copies".
std::string compilers_of(const Results& results) {
  std::set<std::string> names;
  for (const Figure& figure : results.figures) {
    const Opponent* other = figure.find("S");
    if (other != nullptr) names.insert(other->is.substr(0, other->is.find(',')));
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " and ") + name;
  return out;
}

std::string machine_text(const Made& made) {
  return "Taken on " + text_of(made.results.machine) + "; S by " + compilers_of(made.results) +
         ". Every figure is in `" + made.source + "`.\n";
}

std::string families_table(const Made& made) {
  std::string out =
      "| family | cells | times S: mean | least, median, largest | times R: mean | least, median, "
      "largest | spread |\n|---|---:|---:|---|---:|---|---:|\n";
  for (const std::vector<const Figure*>& family : by_family(made.results)) {
    if (family[0]->spec.empty()) continue;
    Ratios spreads;
    for (const Figure* figure : family) spreads.push_back(figure->spread);
    out += "| " + family[0]->family + formatted(" | %zu", family.size()) +
           mean_and_range(ratios_to(family, "S")) + mean_and_range(ratios_to(family, "R")) +
           formatted(" | %.1f %% |\n", 100 * quantile(spreads, 0.5));
  }
  return out;
}

// Rather than times somebody else's.
bool is_time(const GoalFigure& goal) { return goal.against.starts_with("ns"); }

// What goals are about, from the first to the fifteenth.
constexpr std::array kGoals = {"rows in L1 and L2",
                               "what a policy costs, any share out of range",
                               "rows in DRAM",
                               "gathered elements",
                               "scattered elements",
                               "tables in registers, byte offsets",
                               "sums",
                               "masks",
                               "NZ elements, column-major tiles",
                               "crowded last-wins rows",
                               "runtime extents beside static ones",
                               "LLVM beside the x86-64 backend",
                               "compiles",
                               "lookups",
                               "calls"};

std::string goals_table(const Made& made) {
  struct Column {
    Ratios ratios;
    std::size_t met = 0;
  };
  std::map<std::tuple<int, std::string, double>, Column> goals;
  for (const Figure& figure : made.results.figures) {
    for (const GoalFigure& goal : figure.goals) {
      if (is_time(goal)) continue;
      Column& column = goals[{goal.number, goal.against, goal.wanted}];
      column.ratios.push_back(goal.found);
      if (goal.is_met) ++column.met;
    }
  }
  std::string out =
      "| goal | is about | at least | met | least, median, largest |\n|---:|---|---|---|---|\n";
  for (const auto& [goal, column] : goals) {
    const auto& [number, against, wanted] = goal;
    out += formatted("| %d | %s | ", number, kGoals.at(static_cast<std::size_t>(number - 1))) +
           formatted("%.2f %s | %zu of %zu | ", wanted, against.c_str(), column.met,
                     column.ratios.size()) +
           range_of(column.ratios) + " |\n";
  }
  return out;
}

// Cells that somebody else does faster.
std::string behind_table(const Made& made) {
  std::string out =
      "| family | behind | case | ns | best opponent | spread |\n|---|---:|---|---:|---|---:|\n";
  for (const Figure& figure : made.results.figures) {
    if (!is_behind(figure)) continue;
    out += "| " + figure.family + formatted(" | %.2f | `", value_of(figure)) + figure.name +
           formatted("` | %.4g | ", figure.ns) + figure.best()->letter + ", " + figure.best()->is +
           formatted(" | %.1f %% |\n", 100 * figure.spread);
  }
  return out;
}

// The row cells of one width, home and direction: a figure without a policy, the ratios of all.
struct RowColumn {
  const Figure* plain = nullptr;
  Ratios to_static;
};

std::string text_of(const RowColumn& column) {
  if (column.plain == nullptr) return " |";
  const Figure& plain = *column.plain;
  return formatted(" %.3g, %.0f, %.2f to %.2f |", plain.ns / plain.units, plain.bytes / plain.ns,
                   quantile(column.to_static, 0), quantile(column.to_static, 1));
}

std::string rows_table(const Made& made) {
  constexpr std::array<std::pair<const char*, Op>, 4> kColumns = {
      {{"L1", Op::MGather}, {"L1", Op::MScatter}, {"L2", Op::MGather}, {"L2", Op::MScatter}}};
  std::map<std::int64_t, std::map<std::pair<std::string, Op>, RowColumn>> widths;
  for (const Figure& figure : made.results.figures) {
    const Result<KernelSpec> spec = parse(figure.spec);
    if (figure.family != "rows" || !spec) continue;
    const std::int64_t width = spec->data.vc * size_of(spec->data.dtype);
    RowColumn& column = widths[width][{figure.home, spec->op}];
    if (spec->oob == Oob::Undefined) column.plain = &figure;
    for (const double ratio : ratios_to({&figure}, "S")) column.to_static.push_back(ratio);
  }
  std::string out =
      "| row | L1 gather: ns, B/ns, times S | L1 scatter | L2 gather | L2 scatter |\n"
      "|---:|---|---|---|---|\n";
  for (auto& [width, columns] : widths) {
    out += formatted("| %lld B |", static_cast<long long>(width));
    for (const auto& column : kColumns) out += text_of(columns[column]);
    out += '\n';
  }
  return out;
}

std::string calls_table(const Made& made) {
  std::string out =
      "| before anything moves | ns | goal | found | at most | met "
      "|\n|---|---:|---:|---:|---:|---|\n";
  for (const Figure& figure : made.results.figures) {
    for (const GoalFigure& goal : figure.goals) {
      if (!is_time(goal)) continue;
      out += "| " + figure.family + " " + figure.name +
             formatted(" | %.4g | %d | %.4g %s", figure.ns, goal.number, goal.found,
                       goal.against.c_str()) +
             formatted(" | %.4g | %s |\n", goal.wanted, goal.is_met ? "yes" : "no");
    }
  }
  return out;
}

std::vector<const Figure*> family_of(const Results& results, std::string_view name) {
  for (std::vector<const Figure*>& family : by_family(results)) {
    if (family[0]->family == name) return std::move(family);
  }
  return {};
}

// The one paragraph for those who read no tables.
std::string summary_text(const Made& made) {
  const auto times_static = [&](const char* family) {
    return mean_of(ratios_to(family_of(made.results, family), "S"));
  };
  const Figure* compile = made.results.find("compiles", "new/static_shape/p50");
  return "On one core (" + made.results.machine.processor +
         formatted(
             ") `./dev bench` finds rows at %.2f times the speed of C++ with every shape "
             "known (the mean of %zu cells), ",
             times_static("rows"), family_of(made.results, "rows").size()) +
         formatted(
             "gathered elements at %.2f times, tables of 128 bytes at %.1f times, and a "
             "compile in %.1f us.\n",
             times_static("elem_gather"), times_static("small_tables"),
             compile != nullptr ? compile->ns / 1000 : 0);
}

struct Place {
  const char* name;
  std::string (*make)(const Made&);
};
constexpr std::array kPlaces = {
    Place{"machine", machine_text}, Place{"families", families_table},
    Place{"goals", goals_table},    Place{"rows", rows_table},
    Place{"calls", calls_table},    Place{"summary", summary_text},
    Place{"behind", behind_table},
};

constexpr std::string_view kBegin = "<!-- figures: ";
constexpr std::string_view kClose = " -->";
constexpr std::string_view kEnd = "<!-- end -->";

}  // namespace

Result<std::string> filled_page(const std::string& page, const Results& results,
                                const std::string& source) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t begin = page.find(kBegin); begin != std::string::npos;
       begin = page.find(kBegin, at)) {
    const std::size_t name_at = begin + kBegin.size();
    const std::size_t close = page.find(kClose, name_at);
    const std::size_t end = page.find(kEnd, name_at);
    if (close == std::string::npos || end == std::string::npos) {
      return error("bench.page", "a place for figures without its '" + std::string(kEnd) + "'");
    }
    const std::string name = page.substr(name_at, close - name_at);
    const auto place = std::ranges::find(kPlaces, name, &Place::name);
    if (place == kPlaces.end()) return error("bench.page", "no figures named '" + name + "'");
    out += page.substr(at, close + kClose.size() - at) + "\n\n" + place->make({results, source}) +
           "\n";
    at = end;
  }
  return out + page.substr(at);
}

}  // namespace pto::jit::bench
