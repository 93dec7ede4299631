#include "bench/report/passes.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

#include "bench/ratio.h"

namespace pto::jit::bench {
namespace {

// One figure in every pass; all have the same opponents in the same order.
using Passes = std::vector<const Figure*>;

// A bit for each pass that counts.
using Chosen = std::uint32_t;

Chosen all_of(const Passes& passes) { return (Chosen{1} << passes.size()) - 1; }

template <class TimeOf>
double best_of(const Passes& passes, Chosen chosen, TimeOf time_of) {
  double out = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if ((chosen >> i & 1) == 0) continue;
    const double time = time_of(*passes[i]);
    if (out == 0 || time < out) out = time;
  }
  return out;
}

Figure figure_of(const Passes& passes, Chosen chosen) {
  Figure out = *passes[0];
  out.ns = best_of(passes, chosen, [](const Figure& pass) { return pass.ns; });
  out.opponents.clear();
  for (std::size_t i = 0; i < passes[0]->opponents.size(); ++i) {
    Opponent one = passes[0]->opponents[i];
    one.ns = best_of(passes, chosen, [i](const Figure& pass) { return pass.opponents[i].ns; });
    const auto same = std::ranges::find(out.opponents, one.letter, &Opponent::letter);
    if (same == out.opponents.end()) {
      out.opponents.push_back(one);
    } else if (one.ns < same->ns) {
      *same = one;
    }
  }
  return out;
}

// How far what half of the passes say is from what others of them do: the middle eight tenths of
// all ways to take a half.
double spread_of(const Passes& passes) {
  const int half = static_cast<int>(passes.size() / 2);
  std::vector<double> values;
  for (Chosen chosen = 1; chosen <= all_of(passes); ++chosen) {
    if (std::popcount(chosen) == half) values.push_back(value_of(figure_of(passes, chosen)));
  }
  if (values.empty()) return 0;
  return (quantile(values, 0.9) - quantile(values, 0.1)) / quantile(values, 0.5);
}

// What passes found at their start: "slow", or "fast, slow" where they differ.
void note(std::string& all, const std::string& found) {
  if (all.find(found) == std::string::npos) all += ", " + found;
}

}  // namespace

Results together(const std::vector<Results>& passes) {
  Results out = {.machine = passes.at(0).machine, .figures = {}};
  std::vector<std::pair<std::string, std::string>> names;
  std::map<std::pair<std::string, std::string>, Passes> figures;
  for (const Results& pass : passes) {
    note(out.machine.gathers, pass.machine.gathers);
    note(out.machine.string_move, pass.machine.string_move);
    for (const Figure& figure : pass.figures) {
      const auto [at, is_new] = figures.try_emplace({figure.family, figure.name});
      if (is_new) names.push_back(at->first);
      at->second.push_back(&figure);
    }
  }
  for (const auto& name : names) {
    const Passes& all = figures[name];
    Figure figure = figure_of(all, all_of(all));
    figure.spread = spread_of(all);
    out.figures.push_back(std::move(figure));
  }
  return out;
}

}  // namespace pto::jit::bench
