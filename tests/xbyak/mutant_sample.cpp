#include "tests/xbyak/mutant_sample.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "targets/planner.h"
#include "tests/xbyak/mutant_specs.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kFewestOfTrait = 6;

constexpr std::array kTraits = {
    StrategyTrait{"baseline", FeatureLevel::Baseline, [](const Strategy& s) { return !s.avx2; }},
    StrategyTrait{"avx2", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.avx2 && !s.avx512; }},
    StrategyTrait{"avx512", FeatureLevel::Avx512, [](const Strategy& s) { return s.avx512; }},
    StrategyTrait{"lanes", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.form == UnitForm::Lanes && s.group > 1; }},
    StrategyTrait{"one at a time", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.avx2 && s.group == 1; }},
    StrategyTrait{"four at a time", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.group == 4; }},
    StrategyTrait{"gather, avx2", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.form == UnitForm::Gather && !s.avx512; }},
    StrategyTrait{"gather, avx512", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.form == UnitForm::Gather && s.avx512; }},
    StrategyTrait{"scatter", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.form == UnitForm::Scatter; }},
    StrategyTrait{"registers", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.form == UnitForm::Registers; }},
    StrategyTrait{"spread, avx2", FeatureLevel::Avx2,
                  [](const Strategy& s) { return s.form == UnitForm::Spread && !s.avx512; }},
    StrategyTrait{"spread, avx512", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.form == UnitForm::Spread && s.avx512; }},
    StrategyTrait{"batches", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.form == UnitForm::Batches; }},
    StrategyTrait{"prefetch", FeatureLevel::Avx2, [](const Strategy& s) { return s.prefetch > 0; }},
    StrategyTrait{"backward", FeatureLevel::Baseline,
                  [](const Strategy& s) { return s.backward > 0; }},
    StrategyTrait{"stream", FeatureLevel::Avx512,
                  [](const Strategy& s) { return s.stream_from > 0; }},
    StrategyTrait{"string", FeatureLevel::Baseline,
                  [](const Strategy& s) { return s.string_from > 0; }},
};

using Kind = std::tuple<Op, Atomic, Oob, bool>;  // the last one: static
using Kinds = std::map<Kind, std::vector<Sample>>;

Kind kind_of(const GridCase& entry, const KernelPlan& plan) {
  return {entry.spec.op, plan.combine, plan.oob, dims_read(plan).empty()};
}

std::vector<FeatureLevel> levels_of_host() {
  std::vector<FeatureLevel> out;
  for (const FeatureLevel level : kCodeLevels) {
    if (has_level(host_features(), level)) out.push_back(level);
  }
  return out;
}

// By kind, the long ones last in each, which is where they are drawn from.
Kinds sort_cases(std::mt19937& random) {
  Kinds out;
  const auto add = [&](const GridCase& entry) {
    const KernelPlan plan = make_plan(*verify(entry.spec));
    out[kind_of(entry, plan)].push_back({entry, plan, {}});
  };
  for (const GridCase& entry : runnable_grid()) add(entry);
  for (auto& [kind, samples] : out) std::shuffle(samples.begin(), samples.end(), random);
  for (const GridCase& entry : long_cases()) add(entry);
  return out;
}

// Takes the next sample of a kind that is worth it under one of the strategies `choose` has for it.
template <class Choose>
bool draw(std::vector<Sample>& from, std::vector<Sample>& to, Choose&& choose) {
  for (std::size_t i = from.size(); i-- > 0;) {
    for (const Strategy& strategy : choose(from[i].plan)) {
      const Sample sample{from[i].entry, from[i].plan, strategy};
      if (!is_worth_mutating(sample)) continue;
      to.push_back(sample);
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
  }
  return false;
}

// As strategies are chosen, each kind and level in turn.
void draw_chosen(Kinds& kinds, std::size_t count, std::vector<Sample>& out) {
  const std::vector<FeatureLevel> levels = levels_of_host();
  std::size_t turn = 0;
  bool is_any_left = true;
  while (out.size() < count && is_any_left) {
    is_any_left = false;
    for (auto& [kind, samples] : kinds) {
      const FeatureLevel level = levels[turn++ % levels.size()];
      const auto choose = [&](const KernelPlan& plan) {
        return std::array{strategy_at(plan, level)};
      };
      if (out.size() < count && draw(samples, out, choose)) is_any_left = true;
    }
    ++turn;  // another level for the same kind
  }
}

std::vector<Strategy> wished_with(const KernelPlan& plan, const StrategyTrait& trait,
                                  FeatureLevel level) {
  const HostFeatures host = host_with(level);
  std::vector<Strategy> out;
  for (const StrategyWish& wish : wishes_for(plan, host)) {
    const Strategy strategy = choose_strategy(plan, host, wish);
    if (trait.has(strategy)) out.push_back(strategy);
  }
  return out;
}

// Wished for, until the trait has come up often enough.
void draw_wished(Kinds& kinds, const StrategyTrait& trait, std::vector<Sample>& out) {
  std::vector<FeatureLevel> levels = levels_of_host();
  std::erase_if(levels, [&](FeatureLevel level) { return level < trait.needs; });
  std::size_t turn = 0;
  bool is_any_left = !levels.empty();
  while (is_any_left) {
    is_any_left = false;
    for (auto& [kind, samples] : kinds) {
      if (count_of(trait, out) >= kFewestOfTrait) return;
      const FeatureLevel level = levels[turn++ % levels.size()];
      is_any_left |= draw(samples, out,
                          [&](const KernelPlan& plan) { return wished_with(plan, trait, level); });
    }
    ++turn;
  }
}

}  // namespace

std::span<const StrategyTrait> strategy_traits() { return kTraits; }

std::size_t count_of(const StrategyTrait& trait, const std::vector<Sample>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(),
                    [&](const Sample& sample) { return trait.has(sample.strategy); }));
}

std::vector<Sample> draw_samples(std::size_t chosen, std::uint32_t seed) {
  std::mt19937 random(seed);
  Kinds kinds = sort_cases(random);
  std::vector<Sample> out;
  draw_chosen(kinds, chosen, out);
  for (const StrategyTrait& trait : kTraits) draw_wished(kinds, trait, out);
  return out;
}

}  // namespace pto::jit::tests
