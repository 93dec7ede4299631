// Emitted kernels do in the emulation what the interpreter does, and give it nothing to report.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "targets/source_planner.h"
#include "tests/source/sample.h"
#include "tests/support/conformance_workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260105;

// What the CCU moves the emulation does not execute.
bool is_emulated(const LegalSpec& legal) {
  return make_source_plan(legal) && legal.spec().engine == Engine::Aiv;
}

TEST(EmittedText, AgreesWithTheInterpreterOnTheConformanceCases) {
  std::vector<EmulatedCase> cases;
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    std::optional<Workload> load = make_workload(entry, kSeed);
    ASSERT_TRUE(load) << entry.spec;
    if (is_emulated(*verify(load->declared))) cases.push_back({std::move(*load)});
  }
  EXPECT_GT(cases.size(), 350U);
  expect_equal(sampled(cases, 5, "conformance cases"));
}

TEST(EmittedText, AgreesWithTheInterpreterOnASampleOfTheGrid) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  for (const GridCase& entry : sample_of_grid({60, 500}, kSeed, is_emulated)) {
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
  for (const GridCase& entry : sample_of_grid({40, 100}, kSeed, is_emulated)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    if (!make_source_plan(*legal, {.placement = Placement::Auto})) continue;
    std::optional<Workload> load =
        make_workload(*legal, entry.bound, Pattern::Sequential, kSeed + ++number);
    if (load) cases.push_back({std::move(*load), Placement::Auto});
  }
  EXPECT_GT(cases.size(), takes_full_samples() ? 70U : 28U);
  expect_equal(cases);
}

}  // namespace
}  // namespace pto::jit::tests
