// bind: values and ties make a bound spec, everything else says what is wrong with them.
#include "targets/binding.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "targets/planner.h"

namespace pto::jit::tests {
namespace {

LegalSpec open_scatter() {
  return *verify(
      *parse("a5:mscatter.row.skip src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32]"));
}

TEST(Bind, FillsInValuesAndWhatTiesMakeOfThem) {
  const LegalSpec legal = open_scatter();
  const std::vector<Binding> values = {{Dim::DataVr, 3}, {Dim::TableD3, 64}};
  const Result<BoundSpec> bound = jit::bind(legal, values);
  ASSERT_TRUE(bound) << render(bound.error());
  EXPECT_EQ(print(bound->spec()),
            "a5:mscatter.row.skip src=f32[8x32|3x32] idx=i32[1x8|1x3] table=f32[64x32]");
  EXPECT_EQ(bound->legal().spec(), legal.spec());
  EXPECT_EQ(bound->plan(), make_plan(legal));
}

TEST(Bind, RefusesValuesThatBreakARule) {
  const std::vector<Binding> values = {{Dim::DataVr, 9}, {Dim::TableD3, 64}};
  const Result<BoundSpec> bound = jit::bind(open_scatter(), values);
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error()[0].id, "a5.scatter.valid");
}

TEST(Bind, GoesThroughTheRulesOnceAndForStaticSpecsNotAgain) {
  const LegalSpec open = open_scatter();
  const LegalSpec closed =
      *verify(*parse("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"));
  const std::vector<Binding> values = {{Dim::DataVr, 3}, {Dim::TableD3, 64}};
  const std::uint64_t before = rule_passes();
  ASSERT_TRUE(jit::bind(open, values));
  EXPECT_EQ(rule_passes() - before, 1u);
  ASSERT_TRUE(jit::bind(closed, {}));
  EXPECT_EQ(rule_passes() - before, 1u);
}

}  // namespace
}  // namespace pto::jit::tests
