#include "bench/families/markdown.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>
#include <tuple>

#include "bench/families/report.h"

namespace pto::jit::bench {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

using Ratios = std::vector<double>;

double mean_of(const Ratios& ratios) {
  double logarithms = 0;
  for (const double ratio : ratios) logarithms += std::log(ratio);
  return ratios.empty() ? 0 : std::exp(logarithms / static_cast<double>(ratios.size()));
}

std::string range_of(const Ratios& ratios) {
  return formatted("%.2f, %.2f, %.2f", quantile(ratios, 0), quantile(ratios, 0.5),
                   quantile(ratios, 1));
}

void print_families(std::ostream& out, const std::vector<CellFigures>& all) {
  struct Columns {
    Ratios to_static, to_dispatched, spreads;
  };
  std::map<Family, Columns> families;
  for (const CellFigures& figures : all) {
    Columns& columns = families[figures.cell.family];
    if (figures.best_static) columns.to_static.push_back(*figures.best_static / figures.kernel);
    if (figures.dispatched) columns.to_dispatched.push_back(*figures.dispatched / figures.kernel);
    columns.spreads.push_back(figures.spread);
  }
  out << "| family | cells | times S: mean | least, median, largest | times R: mean | least, "
         "median, "
         "largest | spread |\n|---|---:|---:|---|---:|---|---:|\n";
  for (const auto& [family, columns] : families) {
    out << "| " << name_of(family) << " | " << columns.spreads.size()
        << formatted(" | %.2f | ", mean_of(columns.to_static)) << range_of(columns.to_static)
        << formatted(" | %.2f | ", mean_of(columns.to_dispatched))
        << range_of(columns.to_dispatched)
        << formatted(" | %.0f %% |\n", 100 * quantile(columns.spreads, 0.5));
  }
}

void print_goals(std::ostream& out, const std::vector<CellFigures>& all) {
  struct Column {
    Ratios ratios;
    std::size_t met = 0;
  };
  std::map<std::tuple<int, std::string, double>, Column> goals;
  for (const CellFigures& figures : all) {
    for (const Verdict& verdict : figures.verdicts) {
      const Goal& goal = verdict.goal;
      Column& column = goals[{goal.number, std::string(name_of(goal.against)), goal.factor}];
      column.ratios.push_back(verdict.ratio);
      if (verdict.is_met) ++column.met;
    }
  }
  out << "\n| goal | at least | met | least, median, largest |\n|---:|---|---|---|\n";
  for (const auto& [goal, column] : goals) {
    const auto& [number, against, factor] = goal;
    out << formatted("| %d | %.2f %s | %zu of %zu | ", number, factor, against.c_str(), column.met,
                     column.ratios.size())
        << range_of(column.ratios) << " |\n";
  }
}

// The row cells of one width, home and direction: a figure without a policy, the ratios of all.
struct RowColumn {
  const CellFigures* plain = nullptr;
  Ratios to_static;
};

void print_rows(std::ostream& out, const std::vector<CellFigures>& all) {
  std::map<std::int64_t, std::map<std::pair<Home, bool>, RowColumn>> widths;
  for (const CellFigures& figures : all) {
    const Cell& cell = figures.cell;
    if (cell.family != Family::Rows || cell.indices != Indices::Random) continue;
    const std::int64_t width = cell.spec.data.vc * size_of(cell.spec.data.dtype);
    RowColumn& column = widths[width][{cell.home, !is_gather(cell.spec)}];
    if (cell.spec.oob == Oob::Undefined) column.plain = &figures;
    if (figures.best_static) column.to_static.push_back(*figures.best_static / figures.kernel);
  }
  if (widths.empty()) return;
  out << "\n| row | L1 gather: ns, B/ns, times S | L1 scatter | L2 gather | L2 scatter |\n"
         "|---:|---|---|---|---|\n";
  for (const auto& [width, columns] : widths) {
    out << "| " << width << " B |";
    for (const auto& [where, column] : columns) {
      if (column.plain == nullptr) continue;
      const CellFigures& plain = *column.plain;
      out << formatted(" %.3g, %.0f, %.2f to %.2f |", plain.kernel / plain.units,
                       plain.bytes / plain.kernel, quantile(column.to_static, 0),
                       quantile(column.to_static, 1));
    }
    out << '\n';
  }
}

}  // namespace

void print_markdown(std::ostream& out, const std::vector<CellFigures>& all,
                    const std::vector<CallFigure>& calls) {
  out << host_line() << "\n\n";
  print_families(out, all);
  print_goals(out, all);
  print_rows(out, all);
  if (calls.empty()) return;
  out << "\n| before anything moves | ns | goal | at most | met |\n|---|---:|---:|---:|---|\n";
  for (const CallFigure& figure : calls) {
    out << "| " << figure.name
        << formatted(" | %.1f | %d | %g | %s |\n", figure.nanoseconds, figure.goal, figure.at_most,
                     figure.is_met() ? "yes" : "no");
  }
}

}  // namespace pto::jit::bench
