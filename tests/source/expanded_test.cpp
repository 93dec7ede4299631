// Kernels written out in a device's primitives do what the interpreter does, without any
// instruction but loads, stores and placement.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"
#include "targets/source_planner.h"
#include "tests/source/sample.h"
#include "tests/support/conformance_workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260108;

bool can_expand(const LegalSpec& legal) {
  return static_cast<bool>(make_source_plan(legal, {.is_expanded = true}));
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
  EXPECT_GT(cases.size(), 200U);
  expect_equal(sampled(cases, 5, "conformance cases"));
}

TEST(ExpandedText, AgreesWithTheInterpreterOnASampleOfTheGrid) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  for (const GridCase& entry : sample_of_grid({60, 300}, kSeed, can_expand)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    for (const Pattern pattern : {Pattern::Random, Pattern::Extreme}) {
      std::optional<Workload> load = make_workload(*legal, entry.bound, pattern, kSeed + ++number);
      if (load) cases.push_back({.load = std::move(*load), .is_expanded = true});
    }
    for (const KernelSpec& bound : bindings_for(*legal)) {
      std::optional<Workload> load =
          make_workload(*legal, bound, Pattern::Sequential, kSeed + ++number);
      if (load) cases.push_back({.load = std::move(*load), .is_expanded = true});
    }
  }
  expect_equal(cases);
}

TEST(ExpandedText, AgreesWhereTheCompilerPlacesTheTiles) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  const auto expands_by_scalars = [](const LegalSpec& legal) {
    return static_cast<bool>(
        make_source_plan(legal, {.is_expanded = true, .placement = Placement::Auto}));
  };
  for (const GridCase& entry : sample_of_grid({40, 150}, kSeed, expands_by_scalars)) {
    std::optional<Workload> load =
        make_workload(*verify(entry.spec), entry.bound, Pattern::Random, kSeed + ++number);
    if (load)
      cases.push_back(
          {.load = std::move(*load), .placement = Placement::Auto, .is_expanded = true});
  }
  EXPECT_GT(cases.size(), 35U);
  expect_equal(cases);
}

TEST(ExpandedText, PointsIntoTilesOnlyWhereItPlacesThem) {
  for (const std::string_view text :
       {"a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
        "a5:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64]"}) {
    const Result<std::string> refused =
        emit_source(*parse(text), {.form = SourceForm::Expanded, .placement = Placement::Auto});
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error()[0].id, "source.placement");
  }
}

TEST(ExpandedText, CombinesByTheDevicesAtomicsAlsoOneElement) {
  for (const std::string_view name : {"add", "max", "min"}) {
    const Result<std::string> text =
        emit_source(*parse("a5:mscatter.elem.atomic_" + std::string(name) +
                           " src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[64]"),
                    {.form = SourceForm::Expanded});
    ASSERT_TRUE(text);
    const std::string call = "atomic" + std::string(1, static_cast<char>(name[0] - 'a' + 'A'));
    EXPECT_NE(text->find(call), std::string::npos) << *text;
  }
}

TEST(ExpandedText, HasNoInstructionButLoadsStoresAndPlacement) {
  std::size_t texts = 0;
  for (const GridCase& entry : sample_of_grid({500, 500}, kSeed + 1, can_expand)) {
    const Result<std::string> text = emit_source(entry.spec, {.form = SourceForm::Expanded});
    ASSERT_TRUE(text) << print(entry.spec);
    ++texts;
    for (const std::string_view word : {"MSCATTER", "MGATHER", "TSCATTER", "TGATHERB"})
      EXPECT_EQ(text->find(word), std::string::npos) << *text;
  }
  EXPECT_EQ(texts, 500U);
}

TEST(ExpandedText, IsRefusedWhereOnlyTheInstructionExists) {
  for (const std::string_view text :
       {"cpu:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64]",
        "a5:comm.tscatter src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=0"}) {
    const Result<std::string> refused = emit_source(*parse(text), {.form = SourceForm::Expanded});
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error()[0].id, "source.expanded");
  }
}

}  // namespace
}  // namespace pto::jit::tests
