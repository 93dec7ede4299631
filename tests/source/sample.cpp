#include "tests/source/sample.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/support/deck.h"

namespace pto::jit::tests {

std::vector<GridCase> sample_of_grid(SampleSize size, std::uint64_t seed,
                                     const std::function<bool(const LegalSpec&)>& accept) {
  const std::size_t count = taken(size, "cases of the grid");
  std::map<std::tuple<Target, Op, DType>, std::vector<GridCase>> cells;
  for (const GridCase& entry : runnable_grid()) {
    const KernelSpec& spec = entry.spec;
    cells[{spec.target, spec.op, dtype_of(spec, written_role(spec.op))}].push_back(entry);
  }
  std::vector<std::vector<GridCase>> dealt;
  for (auto& [cell, entries] : cells) dealt.push_back(std::move(entries));
  Random random(seed);
  // With fewer cases than cells it is drawn which of these have one.
  for (std::size_t i = count < dealt.size() ? dealt.size() : 0; i > 1; --i)
    std::swap(dealt[i - 1], dealt[random.below(i)]);
  std::vector<GridCase> out;
  while (out.size() < count && !dealt.empty()) {
    for (std::vector<GridCase>& entries : dealt) {
      if (out.size() == count) break;
      const std::size_t pick = random.below(entries.size());
      if (accept(*verify(entries[pick].spec))) out.push_back(entries[pick]);
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    std::erase_if(dealt, [](const std::vector<GridCase>& entries) { return entries.empty(); });
  }
  return out;
}

void expect_equal(const std::vector<EmulatedCase>& cases, const HostSetting& setting) {
  const std::vector<EmulatedRun> runs = run_emulated(cases, setting);
  int failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string found = difference(cases[i], runs[i]);
    if (!found.empty() && failures++ < 20) ADD_FAILURE() << found;
  }
  EXPECT_EQ(failures, 0);
}

}  // namespace pto::jit::tests
