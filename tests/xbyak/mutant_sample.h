// Which kernels are mutated: a fixed draw from the grid and some longer kernels that meets every
// operation, combine, policy, feature level and choice of strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/plan.h"
#include "tests/support/grid.h"
#include "tests/xbyak/code_levels.h"

namespace pto::jit::tests {

struct Sample {
  GridCase entry;
  KernelPlan plan;
  Strategy strategy;
};

// Something a kernel's strategy can have, on hosts of at least that level.
struct StrategyTrait {
  const char* name;
  FeatureLevel needs;
  bool (*has)(const Sample&);
};

std::span<const StrategyTrait> strategy_traits();
std::size_t count_of(const StrategyTrait& trait, const std::vector<Sample>& samples);

// Only kernels whose loops go round more than once and whose indices have a choice: in others there
// is nothing a loop or an index could do wrong.
bool is_worth_mutating(const Sample& sample);

// Kernels with a strategy wished for, until every trait has come up a few times, and `chosen` more
// with the strategy they would get. Levels the host lacks are left out.
std::vector<Sample> draw_samples(std::size_t chosen, std::uint32_t seed);

}  // namespace pto::jit::tests
