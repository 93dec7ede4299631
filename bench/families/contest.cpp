#include "bench/families/contest.h"

#include <algorithm>

#include "bench/families/contestants.h"
#include "ir/spec_text.h"

namespace pto::jit::bench {
namespace {

Result<Done> check(const std::vector<CellContestant>& contestants, CellMemory& memory) {
  std::optional<std::uint64_t> expected;
  for (const CellContestant& one : contestants) {
    if (!one.does_the_same) continue;
    memory.reset();
    one.contestant.run(1);
    const std::uint64_t found = memory.fingerprint();
    if (expected && *expected != found) {
      return error("bench.differs", one.contestant.name + " does not leave what the kernel leaves");
    }
    expected = found;
  }
  memory.reset();
  return Done{};
}

// The series of each part; of several contestants the fastest.
struct PartSeries {
  const Series* kernel = nullptr;
  const Series* best_static = nullptr;
  const Series* literal = nullptr;
  const Series* dispatched = nullptr;
  const Series* limit = nullptr;
  const Series* sibling = nullptr;

  const Series*& of(Part part) {
    switch (part) {
      case Part::Kernel: return kernel;
      case Part::Static: return best_static;
      case Part::Literal: return literal;
      case Part::Dispatched: return dispatched;
      case Part::Limit: return limit;
      case Part::Sibling: break;
    }
    return sibling;
  }
};

PartSeries by_part(const std::vector<CellContestant>& contestants, const std::vector<Series>& all) {
  PartSeries out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Series*& best = out.of(contestants[i].part);
    if (best == nullptr || median_of(all[i]) < median_of(*best)) best = &all[i];
  }
  return out;
}

const Series* opponent(const PartSeries& series, Against against) {
  switch (against) {
    case Against::Static: return series.best_static;
    case Against::Literal: return series.literal;
    case Against::Dispatched: return series.dispatched;
    case Against::Limit: return series.limit;
    case Against::SameKernel: return series.sibling;
    case Against::StaticAndLimit: break;
  }
  if (series.limit == nullptr || series.best_static == nullptr) return series.limit;
  const bool limit_wins = median_of(*series.limit) < median_of(*series.best_static);
  return limit_wins ? series.limit : series.best_static;
}

Verdict judge(const Goal& goal, const PartSeries& series) {
  const Series* other = opponent(series, goal.against);
  if (other == nullptr) return {.goal = goal};
  const Ratio ratio = ratio_of(*series.kernel, *other);
  const double way = goal.allows_spread ? std::min(ratio.spread, 0.05) : 0;
  return {.goal = goal, .ratio = ratio.value, .is_met = ratio.value >= goal.factor - way};
}

std::optional<double> time_of(const Series* series) {
  return series ? std::optional(median_of(*series)) : std::nullopt;
}

CellFigures figures_of(const Cell& cell, const PartSeries& series) {
  CellFigures out;
  out.cell = cell;
  out.name = name_of(cell);
  const KernelSpec& spec = cell.spec;
  const double elements = static_cast<double>(spec.data.vr) * spec.data.vc;
  const double indices = static_cast<double>(spec.index.vr) * spec.index.vc;
  out.bytes = elements * static_cast<double>(size_of(spec.data.dtype)) * std::max(spec.ranks, 1);
  out.units = indices > 0 ? indices : elements * std::max(spec.ranks, 1);
  out.kernel = median_of(*series.kernel);
  out.best_static = time_of(series.best_static);
  if (series.best_static) out.static_compiler = series.best_static->name;
  out.literal = time_of(series.literal);
  out.dispatched = time_of(series.dispatched);
  out.limit = time_of(series.limit);
  if (series.limit) out.limit_name = series.limit->name;
  out.sibling = time_of(series.sibling);
  const Series* other = series.sibling ? series.sibling : series.best_static;
  if (other == nullptr) other = series.dispatched;
  out.spread = ratio_of(*series.kernel, *other).spread;
  for (const Goal& goal : goals_of(cell)) out.verdicts.push_back(judge(goal, series));
  return out;
}

}  // namespace

std::string name_of(const Cell& cell) {
  std::string out(name_of(cell.home));
  if (cell.indices != Indices::Random) out += " " + std::string(name_of(cell.indices));
  return out + " " + print(cell.spec);
}

Result<CellFigures> hold_contest(const Cell& cell, const Effort& effort) {
  Result<CellMemory> memory = CellMemory::make(cell);
  if (!memory) return memory.error();
  const Result<std::vector<CellContestant>> contestants = make_contestants(cell, *memory);
  if (!contestants) return contestants.error();
  if (Result<Done> same = check(*contestants, *memory); !same) return same.error();
  std::vector<Contestant> to_time;
  for (const CellContestant& one : *contestants) to_time.push_back(one.contestant);
  const std::vector<Series> all = take_turns(to_time, effort);
  return figures_of(cell, by_part(*contestants, all));
}

}  // namespace pto::jit::bench
