#include "tests/support/dealt_parts.h"

#include <algorithm>
#include <random>

namespace pto::jit::tests {
namespace {

std::vector<PartRange> between(std::vector<std::int64_t> cuts, std::int64_t pieces) {
  cuts.push_back(0);
  cuts.push_back(pieces);
  std::sort(cuts.begin(), cuts.end());
  std::vector<PartRange> out;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    if (cuts[i - 1] < cuts[i]) out.push_back({cuts[i - 1], cuts[i]});
  }
  return out;
}

}  // namespace

std::vector<PartRange> even_parts(std::int64_t pieces, int parts) {
  std::vector<std::int64_t> cuts;
  for (int i = 1; i < parts; ++i) cuts.push_back(pieces / parts * i + pieces % parts * i / parts);
  return between(cuts, pieces);
}

std::vector<PartRange> uneven_parts(std::int64_t pieces, int parts, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> cuts;
  for (int i = 1; i < parts; ++i)
    cuts.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(pieces + 1)));
  return between(cuts, pieces);
}

void run_shuffled(const KernelPlan& plan, const Frame& frame, std::vector<PartRange> parts,
                  std::uint32_t seed, const std::function<void(const Frame&)>& kernel) {
  std::mt19937 random(seed);
  std::shuffle(parts.begin(), parts.end(), random);
  const std::int64_t pieces = pieces_in(plan, frame);
  for (const PartRange& part : parts) run_part(plan, frame, part, pieces, kernel);
}

}  // namespace pto::jit::tests
