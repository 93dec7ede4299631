// Emitted kernels do in the emulation what the interpreter does, and give it nothing to report.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "targets/source_planner.h"
#include "tests/support/conformance_workload.h"
#include "tests/support/deck.h"
#include "tests/support/emulated.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260105;

// The emulation knows devices; what the CCU moves it does not execute.
bool is_emulated(const KernelSpec& spec) {
  const Result<SourcePlan> plan = make_source_plan(*verify(spec));
  return plan && !plan->host_flags.empty() && spec.engine == Engine::Aiv;
}

void expect_equal(const std::vector<EmulatedCase>& cases) {
  const std::vector<EmulatedRun> runs = run_emulated(cases);
  int failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string found = difference(cases[i], runs[i]);
    if (!found.empty() && failures++ < 20) ADD_FAILURE() << found;
  }
  EXPECT_EQ(failures, 0);
}

TEST(EmittedText, AgreesWithTheInterpreterOnEveryConformanceCase) {
  std::vector<EmulatedCase> cases;
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    std::optional<Workload> load = make_workload(entry, kSeed);
    ASSERT_TRUE(load) << entry.spec;
    if (is_emulated(load->declared)) cases.push_back({std::move(*load)});
  }
  EXPECT_GT(cases.size(), 250U);
  std::printf("%zu cases\n", cases.size());
  expect_equal(cases);
}

// Every cell of (target, op, dtype) gets its share.
std::vector<GridCase> sample(std::size_t count) {
  std::map<std::tuple<Target, Op, DType>, std::vector<GridCase>> cells;
  for (const GridCase& entry : runnable_grid()) {
    if (!is_emulated(entry.spec)) continue;
    cells[{entry.spec.target, entry.spec.op, dtype_of(entry.spec, written_role(entry.spec.op))}]
        .push_back(entry);
  }
  Random random(kSeed);
  std::vector<GridCase> out;
  while (out.size() < count && !cells.empty()) {
    std::erase_if(cells, [](const auto& cell) { return cell.second.empty(); });
    for (auto& [cell, entries] : cells) {
      if (out.size() == count) continue;
      const std::size_t pick = random.below(entries.size());
      out.push_back(entries[pick]);
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(pick));
    }
  }
  return out;
}

// PTOJIT_EMULATED_SPECS asks for more than a test run has time for.
std::size_t sample_size() {
  const char* asked = std::getenv("PTOJIT_EMULATED_SPECS");
  return asked != nullptr ? std::strtoul(asked, nullptr, 10) : 500;
}

TEST(EmittedText, AgreesWithTheInterpreterOnASampleOfTheGrid) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  for (const GridCase& entry : sample(sample_size())) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    for (const Pattern pattern : {Pattern::Random, Pattern::Sequential, Pattern::Extreme}) {
      std::optional<Workload> load = make_workload(*legal, entry.bound, pattern, kSeed + ++number);
      if (load) cases.push_back({std::move(*load)});
    }
    for (const KernelSpec& bound : bindings_for(*legal)) {
      std::optional<Workload> load = make_workload(*legal, bound, Pattern::Equal, kSeed + ++number);
      if (load && !(bound == entry.spec)) cases.push_back({std::move(*load)});
    }
  }
  expect_equal(cases);
}

TEST(EmittedText, AgreesWhereTheCompilerPlacesTheTiles) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  for (const GridCase& entry : sample(100)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    if (!make_source_plan(*legal, {.placement = Placement::Auto})) continue;
    std::optional<Workload> load =
        make_workload(*legal, entry.bound, Pattern::Sequential, kSeed + ++number);
    if (load) cases.push_back({std::move(*load), Placement::Auto});
  }
  EXPECT_GT(cases.size(), 70U);
  expect_equal(cases);
}

}  // namespace
}  // namespace pto::jit::tests
