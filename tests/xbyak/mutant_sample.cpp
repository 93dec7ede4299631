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

constexpr std::size_t kFewestOfTrait = 5;

// The rarest first, which get the kernels that are worth it.
constexpr std::array kTraits = {
    StrategyTrait{
        "string at run time", FeatureLevel::Baseline,
        [](const Sample& s) { return s.strategy.string_from > 0 && !s.plan.unit.run.is_static(); }},
    StrategyTrait{"string", FeatureLevel::Baseline,
                  [](const Sample& s) { return s.strategy.string_from > 0; }},
    StrategyTrait{
        "stream", FeatureLevel::Avx512,
        [](const Sample& s) { return s.strategy.stream_from == 1 && s.plan.unit.run.is_static(); }},
    StrategyTrait{"backward", FeatureLevel::Baseline,
                  [](const Sample& s) { return s.strategy.backward > 0; }},
    StrategyTrait{"prefetch", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.prefetch > 0; }},
    StrategyTrait{"aside", FeatureLevel::Baseline,
                  [](const Sample& s) { return s.strategy.aside > 0; }},
    StrategyTrait{"over", FeatureLevel::Avx2, [](const Sample& s) { return s.strategy.over; }},
    StrategyTrait{"vector", FeatureLevel::Avx2, [](const Sample& s) { return s.strategy.vector; }},
    StrategyTrait{"halves", FeatureLevel::Avx512,
                  [](const Sample& s) { return s.strategy.halves > 0; }},
    StrategyTrait{"scan", FeatureLevel::Avx2, [](const Sample& s) { return s.strategy.scan; }},
    StrategyTrait{"strip", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.strip > 0; }},
    StrategyTrait{"digits as lanes", FeatureLevel::Avx2,
                  [](const Sample& s) {
                    return s.strategy.avx2 && s.plan.digit_count > 1 &&
                           indices_come_in_groups(s.plan);
                  }},
    StrategyTrait{"picks", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.form == UnitForm::Picks; }},
    StrategyTrait{"batches", FeatureLevel::Avx512,
                  [](const Sample& s) { return s.strategy.form == UnitForm::Batches; }},
    StrategyTrait{
        "spread, avx512", FeatureLevel::Avx512,
        [](const Sample& s) { return s.strategy.form == UnitForm::Spread && s.strategy.avx512; }},
    StrategyTrait{
        "spread, avx2", FeatureLevel::Avx2,
        [](const Sample& s) { return s.strategy.form == UnitForm::Spread && !s.strategy.avx512; }},
    StrategyTrait{"registers", FeatureLevel::Avx512,
                  [](const Sample& s) { return s.strategy.form == UnitForm::Registers; }},
    StrategyTrait{"scatter", FeatureLevel::Avx512,
                  [](const Sample& s) { return s.strategy.form == UnitForm::Scatter; }},
    StrategyTrait{
        "gather, avx512", FeatureLevel::Avx512,
        [](const Sample& s) { return s.strategy.form == UnitForm::Gather && s.strategy.avx512; }},
    StrategyTrait{
        "gather, avx2", FeatureLevel::Avx2,
        [](const Sample& s) { return s.strategy.form == UnitForm::Gather && !s.strategy.avx512; }},
    StrategyTrait{"four at a time", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.group == 4; }},
    StrategyTrait{"one at a time", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.avx2 && s.strategy.group == 1; }},
    StrategyTrait{
        "lanes", FeatureLevel::Avx2,
        [](const Sample& s) { return s.strategy.form == UnitForm::Lanes && s.strategy.group > 1; }},
    StrategyTrait{"avx512", FeatureLevel::Avx512,
                  [](const Sample& s) { return s.strategy.avx512; }},
    StrategyTrait{"avx2", FeatureLevel::Avx2,
                  [](const Sample& s) { return s.strategy.avx2 && !s.strategy.avx512; }},
    StrategyTrait{"baseline", FeatureLevel::Baseline,
                  [](const Sample& s) { return !s.strategy.avx2; }},
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
    for (const Strategy& strategy : choose(from[i])) {
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
      const auto choose = [&](const Sample& sample) {
        return std::array{strategy_at(sample.plan, level)};
      };
      if (out.size() < count && draw(samples, out, choose)) is_any_left = true;
    }
    ++turn;  // another level for the same kind
  }
}

std::vector<Strategy> wished_with(Sample sample, const StrategyTrait& trait, FeatureLevel level) {
  const HostFeatures host = host_with(level);
  std::vector<Strategy> out;
  for (const StrategyWish& wish : wishes_for(sample.plan, host)) {
    sample.strategy = choose_strategy(sample.plan, host, wish);
    if (trait.has(sample)) out.push_back(sample.strategy);
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
                          [&](const Sample& sample) { return wished_with(sample, trait, level); });
    }
    ++turn;
  }
}

}  // namespace

std::span<const StrategyTrait> strategy_traits() { return kTraits; }

std::size_t count_of(const StrategyTrait& trait, const std::vector<Sample>& samples) {
  return static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(), [&](const Sample& sample) { return trait.has(sample); }));
}

std::vector<Sample> draw_samples(std::size_t chosen, std::uint32_t seed) {
  std::mt19937 random(seed);
  Kinds kinds = sort_cases(random);
  std::vector<Sample> out;
  for (const StrategyTrait& trait : kTraits) draw_wished(kinds, trait, out);
  draw_chosen(kinds, out.size() + chosen, out);
  return out;
}

}  // namespace pto::jit::tests
