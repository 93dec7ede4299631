#include "bench/report/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace pto::jit::bench {
namespace {

// Clocks have steps, and medians of a handful of repetitions can agree by chance.
constexpr double kLeastSpread = 0.01;

Move move_between(const Figure& before, const Figure& now) {
  const bool has_ratios = before.best() != nullptr && now.best() != nullptr;
  return {.before = &before,
          .now = &now,
          .faster = has_ratios ? value_of(now) / value_of(before) : before.ns / now.ns,
          .allowed = std::max(before.spread, kLeastSpread) + std::max(now.spread, kLeastSpread)};
}

void print_move(std::ostream& out, const Move& move) {
  const bool has_ratios = move.before->best() != nullptr && move.now->best() != nullptr;
  const auto ratio = [&](const Figure& figure) {
    return has_ratios ? formatted("%8.2f", value_of(figure)) : formatted("%8s", "-");
  };
  out << formatted("%-12s %10.4g %10.4g ", move.now->family.c_str(), move.before->ns, move.now->ns)
      << ratio(*move.before) << ' ' << ratio(*move.now)
      << formatted(" %+7.1f%% %7.1f%%  ", 100 * (move.faster - 1), 100 * move.allowed)
      << move.now->name << '\n';
}

// What strategies depend on. The measurements at start-up can fall either way where it is close.
void print_machines(std::ostream& out, const Machine& before, const Machine& now) {
  struct Part {
    const char* name;
    std::string Machine::* value;
  };
  for (const Part& part :
       {Part{"processor", &Machine::processor}, Part{"gather instructions", &Machine::gathers},
        Part{"rep movsb", &Machine::string_move}, Part{"large pages", &Machine::large_pages}}) {
    if (before.*part.value == now.*part.value) continue;
    out << part.name << ": " << before.*part.value << " before, " << now.*part.value
        << " now: kernels may not be the same\n";
  }
}

}  // namespace

bool Move::is_beyond_spread() const { return std::abs(std::log(faster)) > allowed; }

std::vector<Move> moves_between(const Results& before, const Results& now) {
  std::map<std::pair<std::string, std::string>, const Figure*> known;
  for (const Figure& figure : before.figures) known[{figure.family, figure.name}] = &figure;
  std::vector<Move> out;
  for (const Figure& figure : now.figures) {
    const auto at = known.find({figure.family, figure.name});
    if (at != known.end()) out.push_back(move_between(*at->second, figure));
  }
  return out;
}

void print_comparison(std::ostream& out, const Results& before, const Results& now) {
  const std::vector<Move> all = moves_between(before, now);
  if (!before.machine.processor.empty()) print_machines(out, before.machine, now.machine);
  std::size_t faster = 0;
  std::size_t slower = 0;
  for (const Move& move : all) {
    if (!move.is_beyond_spread()) continue;
    if (faster + slower == 0) {
      out << formatted("%-12s %10s %10s %8s %8s %8s %8s  %s\n", "family", "ns before", "ns now",
                       "x before", "x now", "faster", "spreads", "case");
    }
    ++(move.faster > 1 ? faster : slower);
    print_move(out, move);
  }
  out << formatted("%zu figures in both, %zu moved beyond the spread: %zu faster, %zu slower",
                   all.size(), faster + slower, faster, slower)
      << formatted("; %zu only before, %zu only now\n", before.figures.size() - all.size(),
                   now.figures.size() - all.size());
}

}  // namespace pto::jit::bench
