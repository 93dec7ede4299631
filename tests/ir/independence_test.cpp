// Which plans the backward and by-owner walks apply to: replacing scatters whose units never touch.
#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/walk.h"
#include "targets/planner.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

LegalSpec legal(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << render(spec.error(), text);
  const Result<LegalSpec> out = verify(*spec);
  EXPECT_TRUE(out) << render(out.error());
  return *out;
}

bool is_independent(const std::string& text) {
  return slots_are_independent(make_plan(legal(text)));
}

TEST(SlotsAreIndependent, WhereRowsLieApart) {
  const std::string rows = "a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32";
  EXPECT_TRUE(is_independent(rows + "]"));
  EXPECT_TRUE(is_independent(rows + "@32x1]"));
  EXPECT_TRUE(is_independent(rows + "@40x1]"));
  EXPECT_TRUE(is_independent("a5:mscatter.elem src=f32[8x8] idx=i32[8x8] table=f32[64]"));
  EXPECT_TRUE(is_independent("a5:tscatter src=f32[8x8] idx=i32[8x8] dst=f32[8x8]"));
  EXPECT_TRUE(is_independent(
      "a2a3:mscatter.row src=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16@1024x256x16x1]:nz"));
}

TEST(SlotsAreIndependent, NotWhereRowsOverlap) {
  const std::string rows = "a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32";
  EXPECT_FALSE(is_independent(rows + "@31x1]"));
  EXPECT_FALSE(is_independent(rows + "@16x1]"));
  EXPECT_FALSE(is_independent(rows + "@1x1]"));
  // Bursts 16 elements apart share a block's rows.
  EXPECT_FALSE(is_independent(
      "a2a3:mscatter.row src=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16@16x256x16x1]:nz"));
  EXPECT_FALSE(
      is_independent("a2a3:mscatter.elem src=f16[32x64]:nz idx=i32[32x64] "
                     "table=f16[4x2x16x16@1024x256x8x1]:nz"));
}

// A narrow row of a wide pitch leaves a gap; a runtime pitch may leave none.
TEST(SlotsAreIndependent, NotWhereOnlyTheFrameKnows) {
  EXPECT_FALSE(is_independent("a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32@?x1]"));
  EXPECT_TRUE(is_independent("a5:mscatter.elem src=f32[8x8|?x?] idx=i32[8x8|?x?] table=f32[?x?]"));
}

TEST(SlotsAreIndependent, NotWhereAnythingIsCombinedOrGathered) {
  EXPECT_FALSE(
      is_independent("a5:mscatter.row.atomic_add src=f32[8x32] idx=i32[1x8] table=f32[64x32]"));
  EXPECT_FALSE(is_independent("a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]"));
  EXPECT_FALSE(is_independent("a5:tscatter.p0101 src=f32[8x8] dst=f32[8x16]"));
}

// Why it matters: on overlapping rows the order between slots shows.
TEST(SlotsAreIndependent, IsNeededByTheOtherWalks) {
  const LegalSpec overlapping =
      legal("a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32@16x1]");
  const Workload load = *make_workload(overlapping, overlapping.spec(), Pattern::Reversed, 3);
  const auto run = [&](WalkKind kind) {
    return run_guarded(load, Guard::Behind,
                       [&](const Frame& frame) { interpret(load.plan, frame, {kind, 4}); });
  };
  EXPECT_EQ(difference(load, run_model(load), run(WalkKind::Forward)), "");
  EXPECT_NE(difference(load, run_model(load), run(WalkKind::Backward)), "");
  EXPECT_NE(difference(load, run_model(load), run(WalkKind::ByOwner)), "");
}

}  // namespace
}  // namespace pto::jit::tests
