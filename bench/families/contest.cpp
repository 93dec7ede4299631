#include "bench/families/contest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/families/goals.h"
#include "ir/spec_text.h"

namespace pto::jit::bench {
namespace {

using Json = nlohmann::ordered_json;

// Without times.
Json figure_of(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  const double ranks = std::max(spec.ranks, 1);
  const double elements = static_cast<double>(spec.data.vr) * spec.data.vc;
  const double indices = static_cast<double>(spec.index.vr) * spec.index.vc;
  Json goals = Json::array();
  for (const Goal& goal : goals_of(cell)) {
    goals.push_back({{"number", goal.number},
                     {"against", goal.against},
                     {"wanted", goal.factor},
                     {"or_limit", goal.or_limit},
                     {"allows_spread", goal.allows_spread}});
  }
  return {{"family", name_of(cell.family)},
          {"name", name_of(cell)},
          {"spec", print(spec)},
          {"home", name_of(cell.home)},
          {"units", indices > 0 ? indices : elements * ranks},
          {"bytes", elements * static_cast<double>(size_of(spec.data.dtype)) * ranks},
          {"opponents", Json::array()},
          {"goals", std::move(goals)}};
}

}  // namespace

std::string name_of(const Cell& cell) {
  std::string out(name_of(cell.home));
  if (cell.indices != Indices::Random) out += " " + std::string(name_of(cell.indices));
  return out + " " + print(cell.spec);
}

Result<Done> check_contest(const Cell& cell) {
  Result<CellMemory> memory = CellMemory::make(cell);
  if (!memory) return memory.error();
  const Result<std::vector<CellContestant>> contestants = make_contestants(cell, *memory);
  if (!contestants) return contestants.error();
  std::optional<std::uint64_t> expected;
  for (const CellContestant& one : *contestants) {
    if (!one.does_the_same) continue;
    memory->reset();
    one.contestant.run(1);
    const std::uint64_t found = memory->fingerprint();
    if (expected && *expected != found) {
      return error("bench.differs", one.contestant.name + " does not leave what the kernel leaves");
    }
    expected = found;
  }
  return Done{};
}

Result<Json> time_contest(const Cell& cell, const Effort& effort) {
  Result<CellMemory> memory = CellMemory::make(cell);
  if (!memory) return memory.error();
  const Result<std::vector<CellContestant>> contestants = make_contestants(cell, *memory);
  if (!contestants) return contestants.error();
  memory->reset();
  std::vector<Contestant> to_time;
  for (const CellContestant& one : *contestants) to_time.push_back(one.contestant);
  const std::vector<std::vector<double>> times = take_turns(to_time, effort);
  Json out = figure_of(cell);
  out["ns"] = std::ranges::min(times[0]);  // what disturbs only ever adds
  for (std::size_t i = 1; i < times.size(); ++i) {
    const CellContestant& one = (*contestants)[i];
    out["opponents"].push_back({{"letter", letter_of(one.part)},
                                {"is", one.contestant.name},
                                {"ns", std::ranges::min(times[i])},
                                {"does_the_same", one.does_the_same}});
  }
  return out;
}

}  // namespace pto::jit::bench
