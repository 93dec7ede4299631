#include "bench/families/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "runtime/host/host_features.h"

namespace pto::jit::bench {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// A ratio to the kernel's time, or nothing.
std::string times(const CellFigures& figures, const std::optional<double>& other) {
  return other ? formatted("%7.2f", *other / figures.kernel) : formatted("%7s", "-");
}

std::string per_unit(const CellFigures& figures, const std::optional<double>& time) {
  return time ? formatted("%9.3f", *time / figures.units) : formatted("%9s", "-");
}

std::string goal_text(const Verdict& verdict) {
  return formatted("%d:%.2f%s %s", verdict.goal.number, verdict.goal.factor,
                   std::string(name_of(verdict.goal.against)).c_str(),
                   verdict.is_met ? "met" : "MISSED");
}

struct Mean {
  double logarithms = 0;
  double least = std::numeric_limits<double>::infinity();
  int count = 0;

  void add(double ratio) {
    logarithms += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
  double value() const { return count > 0 ? std::exp(logarithms / count) : 0; }
};

constexpr double kRowsMean = 1.15;  // goal 1, over all of its cells

struct Tally {
  int met = 0;
  int all = 0;
};

nlohmann::json json_of(const CellFigures& figures) {
  nlohmann::json out = {{"family", name_of(figures.cell.family)},
                        {"case", figures.name},
                        {"units", figures.units},
                        {"bytes", figures.bytes},
                        {"kernel_ns", figures.kernel},
                        {"spread", figures.spread},
                        {"goals", nlohmann::json::array()}};
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) out[name] = *value;
  };
  put("static_ns", figures.best_static);
  put("literal_ns", figures.literal);
  put("dispatched_ns", figures.dispatched);
  put("limit_ns", figures.limit);
  put("sibling_ns", figures.sibling);
  if (figures.best_static) out["static_compiler"] = figures.static_compiler;
  if (figures.limit) out["limit"] = figures.limit_name;
  for (const Verdict& verdict : figures.verdicts) {
    out["goals"].push_back({{"number", verdict.goal.number},
                            {"against", name_of(verdict.goal.against)},
                            {"factor", verdict.goal.factor},
                            {"ratio", verdict.ratio},
                            {"met", verdict.is_met}});
  }
  return out;
}

}  // namespace

std::string host_line() {
  const HostFeatures& host = host_features();
  const bool has_string = host.string_from <= host.l3;
  const std::string string =
      has_string ? formatted("from %zu bytes", host.string_from) : std::string("never");
  return formatted("host: gather instructions %s, rep movsb %s, caches of %zu, %zu and %zu KB",
                   host.fast_gather ? "fast" : "slow", string.c_str(), host.l1d >> 10,
                   host.l2 >> 10, host.l3 >> 10);
}

void print_header(std::ostream& out) {
  out << host_line() << "\n\n";
  out << R"(ns are per index (per element where there is none). xS, xR, xL, xK: how many times the kernel's time
is that of S (static C++), R (dispatched loop), L (limit), K (sibling kernel). Goals: number, least
ratio and opponent; D is static C++ as the operation's definition reads.

)";
  out << formatted("%-12s %9s %8s %9s %9s %7s %7s %7s %7s %6s  %-30s %s\n", "family", "ns", "B/ns",
                   "S ns", "R ns", "xS", "xR", "xL", "xK", "spread", "goals", "case");
}

void print_line(std::ostream& out, const CellFigures& figures) {
  std::string goals;
  for (const Verdict& verdict : figures.verdicts) {
    goals += (goals.empty() ? "" : ", ") + goal_text(verdict);
  }
  out << formatted("%-12s ", std::string(name_of(figures.cell.family)).c_str())
      << per_unit(figures, figures.kernel) << formatted(" %8.2f ", figures.bytes / figures.kernel)
      << per_unit(figures, figures.best_static) << ' ' << per_unit(figures, figures.dispatched)
      << ' ' << times(figures, figures.best_static) << ' ' << times(figures, figures.dispatched)
      << ' ' << times(figures, figures.limit) << ' ' << times(figures, figures.sibling)
      << formatted(" %5.1f%%  ", figures.spread * 100) << formatted("%-30s ", goals.c_str())
      << figures.name << '\n'
      << std::flush;
}

void print_summary(std::ostream& out, const std::vector<CellFigures>& all) {
  std::map<Family, std::array<Mean, 2>> means;
  std::map<int, Tally> goals;
  for (const CellFigures& figures : all) {
    auto& [to_static, to_dispatched] = means[figures.cell.family];
    if (figures.best_static) to_static.add(*figures.best_static / figures.kernel);
    if (figures.dispatched) to_dispatched.add(*figures.dispatched / figures.kernel);
    for (const Verdict& verdict : figures.verdicts) {
      Tally& tally = goals[verdict.goal.number];
      ++tally.all;
      if (verdict.is_met) ++tally.met;
    }
  }
  out << formatted("\n%-12s %6s %12s %9s %12s %9s\n", "family", "cells", "geomean xS", "least xS",
                   "geomean xR", "least xR");
  for (const auto& [family, both] : means) {
    out << formatted("%-12s %6d %12.2f %9.2f %12.2f %9.2f\n", std::string(name_of(family)).c_str(),
                     both[1].count, both[0].value(), both[0].least, both[1].value(), both[1].least);
  }
  out << '\n';
  for (const auto& [number, tally] : goals) {
    out << formatted("goal %2d: %d of %d met\n", number, tally.met, tally.all);
  }
  const auto rows = means.find(Family::Rows);
  if (rows == means.end()) return;
  const double mean = rows->second[0].value();
  out << formatted("goal  1, all rows: %.2f times S, wanted %.2f, %s\n", mean, kRowsMean,
                   mean >= kRowsMean ? "met" : "MISSED");
}

void print_calls(std::ostream& out, const std::vector<CallFigure>& calls) {
  if (calls.empty()) return;
  out << formatted("\n%-36s %10s %10s\n", "before anything moves", "ns", "at most");
  for (const CallFigure& figure : calls) {
    out << formatted("%-36s %10.1f %10.1f  %d %s\n", figure.name.c_str(), figure.nanoseconds,
                     figure.at_most, figure.goal, figure.is_met() ? "met" : "MISSED");
  }
}

void print_json(std::ostream& out, const std::vector<CellFigures>& all,
                const std::vector<CallFigure>& calls) {
  nlohmann::json cells = nlohmann::json::array();
  for (const CellFigures& figures : all) cells.push_back(json_of(figures));
  nlohmann::json costs = nlohmann::json::array();
  for (const CallFigure& figure : calls) {
    costs.push_back({{"name", figure.name},
                     {"ns", figure.nanoseconds},
                     {"goal", figure.goal},
                     {"at_most", figure.at_most},
                     {"met", figure.is_met()}});
  }
  out << nlohmann::json{{"cells", cells}, {"calls", costs}}.dump(2) << '\n';
}

}  // namespace pto::jit::bench
