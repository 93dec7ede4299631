#include "bench/families/contest.h"

#include <algorithm>
#include <optional>

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
  return Done{};
}

using Entries = std::vector<Contest::Entry>;

// Of several contestants the fastest.
const Contest::Entry* best_of(const Entries& entries, Part part) {
  const Contest::Entry* best = nullptr;
  for (const Contest::Entry& one : entries) {
    if (one.part != part) continue;
    if (best == nullptr || median_of(one.series) < median_of(best->series)) best = &one;
  }
  return best;
}

struct Letter {
  Part part;
  Against against;
};
constexpr std::array kLetters = {
    Letter{Part::Static, Against::Static}, Letter{Part::Literal, Against::Literal},
    Letter{Part::Dispatched, Against::Dispatched}, Letter{Part::Limit, Against::Limit},
    Letter{Part::Sibling, Against::SameKernel}};

const Contest::Entry* opponent(const Entries& entries, Against against) {
  for (const Letter& letter : kLetters) {
    if (letter.against == against) return best_of(entries, letter.part);
  }
  const Contest::Entry* limit = best_of(entries, Part::Limit);
  const Contest::Entry* other = best_of(entries, Part::Static);
  if (limit == nullptr || other == nullptr) return limit;
  return median_of(limit->series) < median_of(other->series) ? limit : other;
}

GoalFigure judge(const Goal& goal, const Entries& entries) {
  GoalFigure out = {goal.number, std::string(name_of(goal.against)), goal.factor};
  const Contest::Entry* other = opponent(entries, goal.against);
  if (other == nullptr) return out;
  const Ratio ratio = ratio_of(entries[0].series, other->series);
  const double way = goal.allows_spread ? std::min(ratio.spread, 0.05) : 0;
  out.found = ratio.value;
  out.is_met = ratio.value >= goal.factor - way;
  return out;
}

// Of the ratio to the opponent that the figure is compared by.
double spread_of(const Figure& figure, const Entries& entries) {
  const Opponent* best = figure.best();
  for (const Letter& letter : kLetters) {
    if (best == nullptr || best->letter != name_of(letter.against)) continue;
    return ratio_of(entries[0].series, best_of(entries, letter.part)->series).spread;
  }
  return 0;
}

}  // namespace

std::string name_of(const Cell& cell) {
  std::string out(name_of(cell.home));
  if (cell.indices != Indices::Random) out += " " + std::string(name_of(cell.indices));
  return out + " " + print(cell.spec);
}

Result<Done> Contest::hold(const Effort& effort) {
  Result<CellMemory> memory = CellMemory::make(*cell_);
  if (!memory) return memory.error();
  const Result<std::vector<CellContestant>> contestants = make_contestants(*cell_, *memory);
  if (!contestants) return contestants.error();
  const bool is_first = entries_.empty();
  if (is_first) {
    if (Result<Done> same = check(*contestants, *memory); !same) return same.error();
  }
  memory->reset();
  std::vector<Contestant> to_time;
  for (const CellContestant& one : *contestants) to_time.push_back(one.contestant);
  const std::vector<Series> all = take_turns(to_time, effort);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CellContestant& one = (*contestants)[i];
    if (is_first) entries_.push_back({one.part, one.does_the_same, {all[i].name, {}}});
    entries_[i].series.times.push_back(quantile(all[i].times, 0));
  }
  return Done{};
}

Figure Contest::figure() const {
  const KernelSpec& spec = cell_->spec;
  const double elements = static_cast<double>(spec.data.vr) * spec.data.vc;
  const double indices = static_cast<double>(spec.index.vr) * spec.index.vc;
  Figure out;
  out.family = name_of(cell_->family);
  out.name = name_of(*cell_);
  out.spec = print(spec);
  out.home = name_of(cell_->home);
  out.bytes = elements * static_cast<double>(size_of(spec.data.dtype)) * std::max(spec.ranks, 1);
  out.units = indices > 0 ? indices : elements * std::max(spec.ranks, 1);
  out.ns = median_of(entries_[0].series);
  for (const Letter& letter : kLetters) {
    const Entry* best = best_of(entries_, letter.part);
    if (best == nullptr) continue;
    out.opponents.push_back({std::string(name_of(letter.against)), best->series.name,
                             median_of(best->series), best->does_the_same});
  }
  out.spread = spread_of(out, entries_);
  for (const Goal& goal : goals_of(*cell_)) out.goals.push_back(judge(goal, entries_));
  return out;
}

}  // namespace pto::jit::bench
