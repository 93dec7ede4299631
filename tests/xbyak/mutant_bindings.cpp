#include "tests/xbyak/mutant_bindings.h"

#include <algorithm>
#include <array>
#include <random>

#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

// Around every power of two a run could be split at.
constexpr std::array<std::int64_t, 30> kExtents = {0,  1,   2,   3,   4,   5,   7,   8,   9,   13,
                                                   15, 16,  17,  31,  32,  33,  49,  63,  64,  65,
                                                   98, 127, 128, 129, 175, 192, 256, 257, 511, 520};
constexpr std::int64_t kMostInTable = 66;  // of one extent
constexpr std::int64_t kMostShuffled = 6;  // of all five at once
constexpr int kShuffles = 80;

void add_once(std::vector<KernelSpec>& all, const KernelSpec& bound) {
  if (std::find(all.begin(), all.end(), bound) == all.end()) all.push_back(bound);
}

// The largest value that stays within storage: of a tile's extent, what some binding gives it.
std::int64_t largest(const std::vector<KernelSpec>& bindings, Dim dim) {
  std::int64_t out = is_tile(role_of(dim)) ? 0 : kMostInTable;
  for (const KernelSpec& bound : bindings) out = std::max(out, get(bound, dim));
  return out;
}

}  // namespace

std::vector<KernelSpec> legal_bindings(const Sample& sample) {
  std::vector<KernelSpec> out = {sample.entry.bound};
  for (const KernelSpec& bound : bindings_for(*verify(sample.entry.spec))) add_once(out, bound);
  return out;
}

KernelSpec one_less(const KernelPlan& plan, const std::vector<KernelSpec>& bindings) {
  KernelSpec out = bindings.front();
  for (const Dim dim : dims_read(plan)) {
    const std::int64_t value = get(out, dim);
    if (is_tile(role_of(dim)) && value > 1) set(out, dim, value - 1);
  }
  return out;
}

std::vector<KernelSpec> one_extent_at_a_time(const KernelPlan& plan,
                                             const std::vector<KernelSpec>& bindings) {
  std::vector<KernelSpec> out;
  for (const Dim dim : dims_read(plan)) {
    for (const std::int64_t value : kExtents) {
      if (value > largest(bindings, dim)) break;
      if (value == 0 && is_stride(dim)) continue;
      for (KernelSpec bound :
           {bindings.front(), one_less(plan, bindings), bindings[bindings.size() / 2]}) {
        set(bound, dim, value);
        add_once(out, bound);
      }
    }
  }
  return out;
}

std::vector<KernelSpec> all_extents_at_once(const KernelPlan& plan,
                                            const std::vector<KernelSpec>& bindings,
                                            std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<KernelSpec> out;
  for (int i = 0; i < kShuffles && !dims_read(plan).empty(); ++i) {
    KernelSpec bound = bindings[random() % bindings.size()];
    for (const Dim dim : dims_read(plan)) {
      const std::int64_t most = is_tile(role_of(dim)) ? largest(bindings, dim) : kMostShuffled;
      if (!is_stride(dim)) set(bound, dim, static_cast<std::int64_t>(random()) % (most + 1));
    }
    add_once(out, bound);
  }
  return out;
}

}  // namespace pto::jit::tests
