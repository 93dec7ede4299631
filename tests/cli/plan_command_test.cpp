// ptojit plan: a legal spec's plan, and the same verdicts as check on all others.
#include <gtest/gtest.h>

#include "tests/cli/tool_fixture.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

class PlanCommand : public ToolTest {};

const std::string kSpec = "a5:mscatter.row.clamp.last src=f32[8x32] table=f32[64x32] idx=i32[1x8]";
const std::string kCanonical = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
const std::string kPlan = R"(move      tile to table, elements of 4 bytes
walk      8 x (index +4, tile +128)
index     4 bytes, unsigned
resolve   clamp, capacity 64
address   slot * 128
unit      128 bytes
writer    last
shared    by slots
)";

TEST_F(PlanCommand, PrintsTheCanonicalSpecAndItsPlan) {
  const ToolRun done = tool({"plan", kSpec});
  EXPECT_EQ(done.exit, 0);
  EXPECT_EQ(done.out, kCanonical + "\n" + kPlan);
  EXPECT_EQ(done.err, "");
}

TEST_F(PlanCommand, SaysHowABackendGoesAboutIt) {
  const ToolRun done = tool({"plan", kSpec, "--backend", "interpreter"});
  EXPECT_EQ(done.out, kCanonical + "\n" + kPlan + "strategy  group size 1, walk forward\n");
  EXPECT_TRUE(tool({"plan", kSpec, "--backend", "abacus"}).fails(2, {"'abacus'", "interpreter"}));
  EXPECT_TRUE(tool({"plan", kSpec, "--strategy", "form=quick"}).fails(2, {"option.strategy"}));
}

// As --bind takes them, so that a plan can be read beside its spec.
TEST_F(PlanCommand, NamesDimensionsAsTheSpecDoes) {
  const std::string spec = "a5:mgather.elem.clamp dst=f32[8x32|?x?] idx=i32[8x32|?x?] table=f32[?]";
  const std::string group =
      "a5:comm.tscatter src=f32[?x32] dst=f32[?x32] stage=f32[8x32|?x?] ranks=4 root=0";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--json"}}) {
    const auto plan = [&](std::vector<std::string> words) {
      words.insert(words.end(), more.begin(), more.end());
      return tool(words).out;
    };
    const std::string gather = plan({"plan", spec});
    EXPECT_NE(gather.find("dst.vr x (index +128, tile +128), dst.vc x"), std::string::npos)
        << gather;
    const std::string scatter = plan({"plan", group});
    EXPECT_NE(scatter.find("128*dst.d3 bytes"), std::string::npos) << scatter;
    for (const char* role : {"data.", "peer.", "index.", "store."})
      EXPECT_EQ((gather + scatter).find(role), std::string::npos) << gather << scatter;
  }
}

TEST_F(PlanCommand, WishesAreGrantedByXbyakAlone) {
  PTOJIT_NEEDS(Backend::Xbyak);
  const std::string spec = "a5:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[64]";
  const std::string wished = tool({"plan", spec, "--strategy", "form=lanes,group=1"}).out;
  EXPECT_NE(wished.find("strategy  "), std::string::npos) << wished;
  EXPECT_EQ(wished,
            tool({"plan", spec, "--strategy", "form=lanes,group=1", "--backend", "xbyak"}).out);
  EXPECT_NE(wished, tool({"plan", spec, "--backend", "xbyak"}).out);
  EXPECT_TRUE(tool({"plan", spec, "--strategy", "form=lanes", "--backend", "interpreter"})
                  .fails(2, {"option.strategy", "interpreter", "goes with xbyak"}));
}

TEST_F(PlanCommand, GivesTheVerdictsOfCheck) {
  const std::string illegal =
      "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  EXPECT_TRUE(tool({"plan", illegal}).fails(1, {"a2a3.scatter.atomic", "try:"}));
  EXPECT_TRUE(tool({"plan", "a5:mscatter"}).fails(2, {"text.mode", "^"}));
  EXPECT_EQ(tool({"plan"}).exit, 2);
}

TEST_F(PlanCommand, SpeaksJson) {
  const ToolRun done = tool({"plan", kSpec, "--json", "--backend", "interpreter"});
  EXPECT_EQ(done.exit, 0);
  for (const std::string_view part :
       {"\"spec\": \"a5:mscatter.row.clamp src=", "\"resolve\": \"clamp, capacity 64\"",
        "\"strategy\": \"group size 1"}) {
    EXPECT_NE(done.out.find(part), std::string::npos) << done.out;
  }
  const ToolRun failed = tool({"plan", "a5:mscatter", "--json"});
  EXPECT_EQ(failed.exit, 2);
  EXPECT_NE(failed.out.find("\"verdict\": \"unusable\""), std::string::npos) << failed.out;
}

}  // namespace
}  // namespace pto::jit::tests
