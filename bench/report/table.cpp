#include "bench/report/table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "bench/ratio.h"

namespace pto::jit::bench {
namespace {

constexpr double kRowsMean = 1.05;  // goal 1, over all of its cells
constexpr double kSteady = 0.05;    // spread
constexpr double kLevel = 0.97;     // of the best opponent

}  // namespace

std::string text_of(const Machine& machine) {
  return formatted("%s, %d cores; caches of %zu KB, %zu KB and %zu KB; ", machine.processor.c_str(),
                   machine.cores, machine.l1 >> 10, machine.l2 >> 10, machine.l3 >> 10) +
         formatted("gather instructions %s, rep movsb %s, large pages %s; load %.1f at the start",
                   machine.gathers.c_str(), machine.string_move.c_str(),
                   machine.large_pages.c_str(), machine.load);
}

double mean_of(const std::vector<double>& ratios) {
  double logarithms = 0;
  for (const double ratio : ratios) logarithms += std::log(ratio);
  return ratios.empty() ? 0 : std::exp(logarithms / static_cast<double>(ratios.size()));
}

std::vector<double> ratios_to(const std::vector<const Figure*>& figures, std::string_view letter) {
  std::vector<double> out;
  for (const Figure* figure : figures) {
    if (const Opponent* other = figure->find(letter)) out.push_back(other->ns / figure->ns);
  }
  return out;
}

std::vector<std::vector<const Figure*>> by_family(const Results& results) {
  std::vector<std::vector<const Figure*>> out;
  for (const Figure& figure : results.figures) {
    const auto same = [&](const auto& family) { return family[0]->family == figure.family; };
    auto at = std::ranges::find_if(out, same);
    if (at == out.end()) at = out.emplace(out.end());
    at->push_back(&figure);
  }
  return out;
}

bool is_behind(const Figure& figure) {
  return !figure.spec.empty() && value_of(figure) < kLevel - figure.spread;
}

namespace {

// A ratio to the kernel's time, or nothing.
std::string times(const Figure& figure, const char* letter) {
  const Opponent* other = figure.find(letter);
  return other != nullptr ? formatted("%7.2f", other->ns / figure.ns) : formatted("%7s", "-");
}

std::string per_unit(const Figure& figure, const char* letter) {
  const Opponent* other = figure.find(letter);
  return other != nullptr ? formatted("%9.3f", other->ns / figure.units) : formatted("%9s", "-");
}

std::string text_of(const GoalFigure& goal) {
  return formatted("%d:%.4g %s %s", goal.number, goal.wanted, goal.against.c_str(),
                   goal.is_met ? "met" : "MISSED");
}

void print_goals(std::ostream& out, const Results& results) {
  struct Tally {
    int met = 0;
    int all = 0;
  };
  std::map<int, Tally> goals;
  for (const Figure& figure : results.figures) {
    for (const GoalFigure& goal : figure.goals) {
      Tally& tally = goals[goal.number];
      ++tally.all;
      if (goal.is_met) ++tally.met;
    }
  }
  for (const auto& [number, tally] : goals) {
    out << formatted("goal %2d: %d of %d met\n", number, tally.met, tally.all);
  }
}

void print_header(std::ostream& out, const Machine& machine) {
  out << text_of(machine) << "\n\n";
  out << R"(ns are per index (per element where there is none, per call where nothing moves). xS, xR, xL, xK, xG: how
many times the kernel's time is that of S (static C++), R (dispatched loop), L (limit), K (sibling
kernel), G (the kernel that reads its extents). Goals: number, least ratio and opponent, or most ns.

)";
  out << formatted("%-12s %9s %8s %9s %9s %7s %7s %7s %7s %7s %6s  %-30s %s\n", "family", "ns",
                   "B/ns", "S ns", "R ns", "xS", "xR", "xL", "xK", "xG", "spread", "goals", "case");
}

void print_line(std::ostream& out, const Figure& figure) {
  std::string goals;
  for (const GoalFigure& goal : figure.goals) goals += (goals.empty() ? "" : ", ") + text_of(goal);
  const std::string bandwidth =
      figure.bytes > 0 ? formatted("%8.2f", figure.bytes / figure.ns) : formatted("%8s", "-");
  out << formatted("%-12s %9.3f ", figure.family.c_str(), figure.ns / figure.units) << bandwidth
      << ' ' << per_unit(figure, "S") << ' ' << per_unit(figure, "R");
  for (const char* letter : {"S", "R", "L", "K", "G"}) out << ' ' << times(figure, letter);
  out << formatted(" %5.1f%%  %-30s ", figure.spread * 100, goals.c_str()) << figure.name << '\n'
      << std::flush;
}

void print_summary(std::ostream& out, const Results& results) {
  out << formatted("\n%-12s %7s %12s %9s %12s %9s\n", "family", "figures", "geomean xS", "least xS",
                   "geomean xR", "least xR");
  for (const std::vector<const Figure*>& family : by_family(results)) {
    const std::vector<double> to_static = ratios_to(family, "S");
    const std::vector<double> to_dispatched = ratios_to(family, "R");
    if (to_static.empty()) continue;
    out << formatted("%-12s %7zu %12.2f %9.2f %12.2f %9.2f\n", family[0]->family.c_str(),
                     family.size(), mean_of(to_static), quantile(to_static, 0),
                     mean_of(to_dispatched), quantile(to_dispatched, 0));
    if (family[0]->family != "rows") continue;
    std::vector<double> to_best;
    for (const Figure* figure : family) to_best.push_back(value_of(*figure));
    out << formatted("%-12s goal 1 over all of them: wanted %.2f of the best, found %.2f\n", "",
                     kRowsMean, mean_of(to_best));
  }
  const auto is_steady = [](const Figure& figure) { return figure.spread <= kSteady; };
  out << formatted("\n%td of %zu figures have a spread of at most %.0f %%\n",
                   std::ranges::count_if(results.figures, is_steady), results.figures.size(),
                   100 * kSteady)
      << formatted("%td cells are below %.2f of their best opponent by more than their spread\n",
                   std::ranges::count_if(results.figures, is_behind), kLevel);
  print_goals(out, results);
}

}  // namespace

void print_table(std::ostream& out, const Results& results) {
  print_header(out, results.machine);
  for (const Figure& figure : results.figures) print_line(out, figure);
  print_summary(out, results);
}

}  // namespace pto::jit::bench
