// Kernels written out in a device's primitives do what the interpreter does, without any
// instruction but loads, stores and placement.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/emit_source.h"
#include "targets/source_planner.h"
#include "tests/support/conformance_workload.h"
#include "tests/support/deck.h"
#include "tests/support/emulated.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260108;

bool can_expand(const LegalSpec& legal) {
  return static_cast<bool>(make_source_plan(legal, {.is_expanded = true}));
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

TEST(ExpandedText, AgreesWithTheInterpreterOnTheConformanceCases) {
  std::vector<EmulatedCase> cases;
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    std::optional<Workload> load = make_workload(entry, kSeed);
    ASSERT_TRUE(load) << entry.spec;
    if (!can_expand(*verify(load->declared))) continue;
    cases.push_back({.load = std::move(*load), .is_expanded = true});
  }
  std::printf("%zu cases\n", cases.size());
  EXPECT_GT(cases.size(), 200U);
  expect_equal(cases);
}

}  // namespace
}  // namespace pto::jit::tests
