// ptojit diff: which targets take an operation, where their results differ, and by which decision.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/tool_fixture.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

class DiffCommand : public ToolTest {
 protected:
  // The JSON of a comparison, which must end as `code` says.
  static nlohmann::json compared(int code, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "diff");
    arguments.emplace_back("--json");
    const ToolRun done = tool(arguments);
    EXPECT_EQ(done.exit, code) << done.out << done.err;
    return nlohmann::json::parse(done.out);
  }

  // The ids behind each difference, as "first/second id id".
  static std::vector<std::string> reasons(const nlohmann::json& made) {
    std::vector<std::string> out;
    for (const auto& found : made["differences"]) {
      std::string text =
          found["first"].get<std::string>() + "/" + found["second"].get<std::string>();
      for (const auto& reason : found["reasons"]) text += " " + reason["id"].get<std::string>();
      out.push_back(text);
    }
    return out;
  }
};

using Lines = std::vector<std::string>;

TEST_F(DiffCommand, EqualTargetsAreEqualByAllBackends) {
  const auto made = compared(0, {"a5:mscatter.elem.clamp src=f32[4x8] idx=i32[4x8] table=f32[16]",
                                 "--targets", "a2a3,a5"});
  EXPECT_EQ(made["verdict"], "equal");
  EXPECT_EQ(made["targets"].size(), 2u);
  EXPECT_EQ(made["unseen"].size(), 0u);
}

TEST_F(DiffCommand, CpuIgnoresPolicies) {
  const std::string shapes = " src=i32[4x8] idx=i32[4x8] table=i32[16]";
  EXPECT_EQ(reasons(compared(1, {"a5:mscatter.elem.clamp" + shapes})),
            (Lines{"a5/cpu cpu.policy_ignored"}));
  EXPECT_EQ(reasons(compared(1, {"a5:mscatter.elem.atomic_add" + shapes})),
            (Lines{"a5/cpu cpu.policy_ignored"}));
}

TEST_F(DiffCommand, DevicesClearTheDestinationOfTscatter) {
  EXPECT_EQ(reasons(compared(1, {"cpu:tscatter src=i16[4x16] idx=u16[4x16] dst=i16[4x16]"})),
            (Lines{"cpu/a2a3 0011", "cpu/a5 0011"}));
}

TEST_F(DiffCommand, CpuClampsOffsets) {
  EXPECT_EQ(reasons(compared(1, {"a5:tgatherb src=u8[4x32] offset=u32[2x32] dst=u8[2x32]"})),
            (Lines{"a5/cpu 0013"}));
}

TEST_F(DiffCommand, CpuIgnoresStrides) {
  EXPECT_EQ(reasons(compared(1, {"a2a3:mgather.row dst=f32[8x8|1x1] idx=i32[8x8|1x1] "
                                 "table=f32[64x1@16x1]",
                                 "--seed", "3"})),
            (Lines{"a2a3/cpu 0021"}));
}

// Which writer survives is not to be seen on a host that goes in order.
TEST_F(DiffCommand, TellsWhatTheDataDoNotShow) {
  const auto made = compared(0, {"a5:mscatter.elem.default src=f32[4x8] idx=i32[4x8] table=f32[64]",
                                 "--targets", "a5,a2a3"});
  EXPECT_EQ(made["targets"][1]["legal"], true) << "it has no conflict policy to refuse";
  ASSERT_EQ(made["unseen"].size(), 1u);
  EXPECT_EQ(made["unseen"][0]["id"], "a5.default");
}

TEST_F(DiffCommand, AnIllegalTargetIsNamedWithItsRule) {
  const std::string spec = "a5:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const auto made = compared(0, {spec, "--targets", "a5,a2a3"});
  EXPECT_EQ(made["targets"][1]["legal"], false);
  EXPECT_EQ(made["targets"][1]["diagnostics"][0]["id"], "a2a3.scatter.atomic");
  const ToolRun text = tool({"diff", spec, "--targets", "a5,a2a3"});
  EXPECT_NE(text.out.find("a2a3: not legal\n  error[a2a3.scatter.atomic]"), std::string::npos)
      << text.out;
  EXPECT_TRUE(tool({"diff", spec, "--targets", "a2a3"}).fails(2, {"a2a3.scatter.atomic"}));
}

TEST_F(DiffCommand, SaysThatOneTargetAloneTookPart) {
  const std::string spec = "a5:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const std::string alone = "only a5 took part: no targets were compared";
  for (const std::string targets : {"a5", "a5,a5", "a5,a2a3"}) {
    const ToolRun text = tool({"diff", spec, "--targets", targets, "--backends", "interpreter"});
    EXPECT_NE(text.out.find(alone + "\n"), std::string::npos) << text.out;
    EXPECT_EQ(compared(0, {spec, "--targets", targets})["remark"], alone + ", backends were");
  }
  const std::string shared = "a5:mscatter.elem.clamp src=f32[4x8] idx=i32[4x8] table=f32[16]";
  EXPECT_FALSE(compared(0, {shared, "--targets", "a2a3,a5"}).contains("remark"));
}

TEST_F(DiffCommand, TheSeedDecidesTheData) {
  const std::string spec = "cpu:tscatter src=i16[4x16] idx=u16[4x16] dst=i16[4x16]";
  const ToolRun one = tool({"diff", spec, "--seed", "5"});
  EXPECT_EQ(one.out, tool({"diff", spec, "--seed", "5"}).out);
  EXPECT_NE(one.out, tool({"diff", spec, "--seed", "6"}).out);
  EXPECT_NE(one.out.find("--seed 5"), std::string::npos) << "the line that replays it";
}

TEST_F(DiffCommand, RuntimeDimensionsNeedValues) {
  const std::string spec =
      "a2a3:mgather.elem.zero dst=f16[2x16|?x?] idx=i32[2x16|?x?] table=f16[?]";
  EXPECT_TRUE(tool({"diff", spec}).fails(2, {"dst.vr"}));
  const auto made =
      compared(0, {spec, "--targets", "a2a3,a5", "--bind", "dst.vr=2,dst.vc=13,table.d4=9"});
  EXPECT_EQ(made["verdict"], "equal");
}

TEST_F(DiffCommand, RefusesWhatItDoesNotKnow) {
  const std::string spec = "a5:mscatter.elem src=f32[4x8] idx=i32[4x8] table=f32[16]";
  EXPECT_TRUE(tool({"diff", spec, "--targets", "a9"}).fails(2, {"'a9'", "a2a3"}));
  EXPECT_TRUE(tool({"diff", spec, "--backends", "abacus"}).fails(2, {"'abacus'"}));
  EXPECT_TRUE(tool({"diff", "a5:nonsense"}).fails(2, {"^"}));
  EXPECT_TRUE(tool({"diff", "a5:mscatter.elem src=f32[4x8] idx=i32[4x8] table=f32[2000000000]"})
                  .fails(2, {"compare.size"}));
  for (const Backend backend : kAllBackends) {
    if (!has_backend(backend)) {
      EXPECT_TRUE(tool({"diff", spec, "--backends", std::string(name_of(backend))})
                      .fails(2, {"this build has no"}));
    }
  }
}

}  // namespace
}  // namespace pto::jit::tests
