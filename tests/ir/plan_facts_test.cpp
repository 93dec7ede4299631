// Facts of a plan that emitters ask for, where a spec alone does not tell them apart.
#include "ir/plan_facts.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

KernelPlan plan_of(std::string_view text) { return make_plan(*verify(*parse(text))); }

TEST(PlanFacts, OnlyAClearedTableIsSpreadOver) {
  KernelPlan plan = plan_of("a5:tscatter.p0100 src=f16[8x64] dst=f16[8x256]");
  EXPECT_EQ(spread_of(plan), 4);
  plan.fill_bytes = 0;
  EXPECT_EQ(spread_of(plan), 0);
  EXPECT_EQ(spread_of(plan_of("a5:tscatter.p1111 src=f16[8x64] dst=f16[8x64]")), 0);
}

TEST(PlanFacts, VectorsAreFilledByElementsSideBySide) {
  EXPECT_TRUE(fills_vectors(plan_of("a5:mgather.elem dst=f32[8x64] idx=i32[8x64] table=f32[99]")));
  const KernelPlan rows = plan_of("a5:mgather.row dst=f32[8x64] idx=i32[1x8] table=f32[99x64]");
  EXPECT_FALSE(moves_elements(rows));
  EXPECT_FALSE(fills_vectors(rows));
}

TEST(PlanFacts, ARowEndsBeforeTheNextOfItsTile) {
  const KernelPlan plan = plan_of("a5:mgather.row dst=f32[8x64|8x?] idx=i32[1x8] table=f32[99x?]");
  EXPECT_EQ(longest_run(plan), 256);
  EXPECT_EQ(table_bytes(plan), std::nullopt);
}

TEST(PlanFacts, RanksAreGivenTheirSlicesTogether) {
  const auto given = [](const std::string& source, const std::string& slice) {
    return written_to_ranks(plan_of("a5:comm.tscatter src=f32[" + source + "] dst=f32[" + slice +
                                    "] stage=f32[8x32|?x?] ranks=3 root=0"));
  };
  EXPECT_EQ(given("2x1x1x50x32", "2x1x1x16x32"), 3 * 2 * 16 * 32 * 4);
  EXPECT_EQ(given("48x32@40x1", "16x32"), 3 * 16 * 32 * 4);
  EXPECT_EQ(given("?x32", "16x32"), 3 * 16 * 32 * 4);
  EXPECT_EQ(given("?x32", "?x32"), std::nullopt);
}

TEST(PlanFacts, WhatTakesIndicesOneByOneHasAReason) {
  const KernelPlan plan =
      plan_of("a2a3:mgather.elem dst=f16[32x64]:nz idx=i32[32x64] table=f16[1x4x1048576x16x16]:nz");
  EXPECT_FALSE(indices_come_in_groups(plan));
  EXPECT_EQ(reason_for_singles(plan), "a slot is split into digits");
}

TEST(PlanFacts, DigitsFitWordsUpTo31Bits) {
  const auto fits = [](const std::string& blocks) {
    const KernelPlan plan = plan_of(
        "a2a3:mgather.elem dst=f16[32x64]:nz idx=i32[32x64] table=f16[" + blocks + "x16x16]:nz");
    EXPECT_EQ(indices_come_in_groups(plan), digits_fit_words(plan)) << blocks;
    return digits_fit_words(plan);
  };
  EXPECT_TRUE(fits("1x4x2"));
  EXPECT_EQ(table_bytes(plan_of("a2a3:mgather.elem dst=f16[32x48]:nz idx=i32[32x48] "
                                "table=f16[1x3x2x16x16]:nz")),
            3 * 2 * 16 * 16 * 2);
  EXPECT_TRUE(fits("1x4x1048575"));
  EXPECT_FALSE(fits("1x4x1048576"));
  EXPECT_TRUE(fits("1x4x?"));
  EXPECT_TRUE(fits("1x?x2"));
  EXPECT_FALSE(fits("1x?x4194304"));  // a step of 2^31 bytes
}

}  // namespace
}  // namespace pto::jit
