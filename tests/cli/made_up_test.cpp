// Values made up for runtime dimensions keep every rule.
#include "jit/checks/made_up.h"

#include <gtest/gtest.h>

#include <iostream>

#include "ir/spec_text.h"
#include "tests/support/grid.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

using cli::made_up_binding;

std::string made_up(const std::string& text, const std::vector<Binding>& given = {}) {
  const Result<BoundSpec> bound = made_up_binding(*verify(*parse(text)), given);
  return bound ? print(bound->spec()) : render(bound.error());
}

TEST(MadeUp, ValuesFitEveryPaddedTile) {
  EXPECT_EQ(made_up("a5:mgather.row dst=bf16[9x16|?x1] idx=u32[8x1|?x1]:cm table=bf16[4x1]"),
            "a5:mgather.row dst=bf16[9x16|8x1] idx=u32[8x1]:cm table=bf16[4x1]");
}

TEST(MadeUp, ValuesStayBelowWhatIsStated) {
  EXPECT_EQ(made_up("a2a3:mscatter.row src=f32[8x32|8x?] idx=i32[1x8] table=f32[4x12]"),
            "a2a3:mscatter.row src=f32[8x32|8x12] idx=i32[1x8] table=f32[4x12]");
  EXPECT_EQ(made_up("a5:comm.tscatter src=f32[60x8] dst=f32[?x8] stage=f32[4x8] ranks=4 root=0"),
            "a5:comm.tscatter src=f32[60x8] dst=f32[8x8] stage=f32[4x8] ranks=4 root=0");
}

TEST(MadeUp, ValuesAreMiddlingWhereNothingSaysOtherwise) {
  EXPECT_EQ(made_up("a2a3:mgather.elem dst=f16[8x32|?x?] idx=i32[8x32|?x?] table=f16[?]"),
            "a2a3:mgather.elem dst=f16[8x32] idx=i32[8x32] table=f16[32]");
}

TEST(MadeUp, ValuesGivenAreKeptOrRefused) {
  const std::string spec = "a2a3:mgather.elem dst=f16[8x32|?x?] idx=i32[8x32|?x?] table=f16[?]";
  EXPECT_EQ(made_up(spec, {{Dim::DataVr, 3}, {Dim::TableD4, 77}}),
            "a2a3:mgather.elem dst=f16[8x32|3x32] idx=i32[8x32|3x32] table=f16[77]");
  EXPECT_NE(made_up(spec, {{Dim::DataVr, 9}}).find("a2a3.gather.valid"), std::string::npos);
  EXPECT_NE(made_up(spec, {{Dim::DataVr, -1}}).find("bind.range"), std::string::npos);
  EXPECT_NE(made_up(spec, {{Dim::TableD3, 2}}).find("bind.contradiction"), std::string::npos);
}

// Whether there are legal values at all is asked of the grid's own.
TEST(MadeUp, EveryLegalSpecOfTheGridHasLegalValues) {
  int found = 0;
  int without = 0;
  for_each_case([&](const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    if (!legal || runtime_dims(entry.spec).empty()) return;
    const Result<BoundSpec> bound = made_up_binding(*legal, {});
    if (bound) {
      ++found;
      return;
    }
    ++without;
    EXPECT_FALSE(verify_bound(*legal, entry.bound)) << print(entry.spec) << "\n"
                                                    << print(entry.bound);
    EXPECT_TRUE(bindings_for(*legal).empty()) << print(entry.spec);
  });
  std::cout << found << " runtime specs with made-up values, " << without << " without\n";
  EXPECT_GE(found, 5000);
}

}  // namespace
}  // namespace pto::jit::tests
