#include "tests/xbyak/strategies.h"

#include <algorithm>

namespace pto::jit::tests {
namespace {

// Thresholds so low that small workloads reach what lies behind them.
std::vector<StrategyWish> all_wishes() {
  std::vector<StrategyWish> out(1);
  for (const UnitForm form :
       {UnitForm::Lanes, UnitForm::Gather, UnitForm::Scatter, UnitForm::Registers, UnitForm::Spread,
        UnitForm::Batches, UnitForm::Picks})
    out.push_back({.form = form});
  out.push_back({.form = UnitForm::Lanes, .group = 1});
  out.push_back({.form = UnitForm::Lanes, .group = 1, .prefetch = 2});
  out.push_back({.form = UnitForm::Lanes, .group = 4});
  out.push_back({.prefetch = 1});
  out.push_back({.prefetch = 2, .lines = 3});
  out.push_back({.prefetch = 70, .lines = 64});
  out.push_back({.aside = 0});
  out.push_back({.form = UnitForm::Lanes, .aside = 0});
  out.push_back({.form = UnitForm::Picks, .aside = 0});
  out.push_back({.aside = 512});
  out.push_back({.over = 0});
  out.push_back({.aside = 512, .over = 1});
  out.push_back({.form = UnitForm::Lanes, .vector = 0});
  out.push_back({.form = UnitForm::Lanes, .vector = 1});
  out.push_back({.scan = 0});
  out.push_back({.form = UnitForm::Lanes, .scan = 0});
  out.push_back({.strip = 0});
  out.push_back({.strip = 16});
  out.push_back({.form = UnitForm::Lanes, .strip = 128});
  out.push_back({.halves = 0});
  out.push_back({.halves = 1024});
  out.push_back({.whole = 0});
  out.push_back({.whole = 1});
  out.push_back({.backward = 1});
  out.push_back({.backward = 100});
  out.push_back({.stream_from = 1});
  out.push_back({.stream_from = 4000});
  out.push_back({.string_from = 1});
  out.push_back({.string_from = 200});
  return out;
}

}  // namespace

std::vector<StrategyWish> wishes_for(const KernelPlan& plan, const HostFeatures& host) {
  static const std::vector<StrategyWish> kAll = all_wishes();
  std::vector<StrategyWish> out;
  std::vector<Strategy> seen;
  for (const StrategyWish& wish : kAll) {
    const Strategy strategy = choose_strategy(plan, host, wish);
    if (std::find(seen.begin(), seen.end(), strategy) != seen.end()) continue;
    seen.push_back(strategy);
    out.push_back(wish);
  }
  return out;
}

}  // namespace pto::jit::tests
