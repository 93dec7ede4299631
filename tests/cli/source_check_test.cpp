// ptojit check --source: kernels written by hand, right and wrong, on every target.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "jit/checks/kernel_file.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/process_mark.h"

namespace pto::jit::tests {
namespace {

using nlohmann::json;

constexpr const char* kSpec = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

class SourceCheckTest : public ToolTest {
 protected:
  // The kernel that the tool prints for a spec, with one piece of text replaced by another.
  std::string emitted(const std::string& spec, const std::string& old = "",
                      const std::string& now = "") const {
    std::string text = tool({"emit", spec}).out;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return put("kernel.cpp", text.replace(at, old.size(), now));
  }

  static ToolRun check(const std::string& spec, const std::string& file,
                       const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"check", spec, "--source", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tool(arguments);
  }
};

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

TEST(KernelFile, FindsTheFunctionsCalledGlobal) {
  using cli::kernels_in;
  EXPECT_EQ(kernels_in("extern \"C\" __global__ AICORE void one(int a);\n__global__ void one(int)"),
            std::vector<std::string>{"one"});
  EXPECT_EQ(kernels_in("// __global__ void no()\n/* __global__ void no() */\n"
                       "const char* a = \"__global__ void \\\" no()\";\nchar b = '\"';\n"
                       "__global__ [aicore] void\n  yes (int b) {}"),
            std::vector<std::string>{"yes"});
  EXPECT_EQ(kernels_in("__global__ void a();\n__global__ void b();").size(), 2U);
  EXPECT_TRUE(kernels_in("#define __global__\nAICORE void a() {}").empty());
}

TEST_F(SourceCheckTest, TakesWhatTheToolPrintsForEveryTarget) {
  for (const std::string spec :
       {kSpec, "a2a3:mgather.elem dst=f16[8x32|?x?] idx=i32[8x32|?x?] table=f16[?]",
        "cpu:tscatter src=f32[16x16] idx=u32[16x16] dst=f32[16x16]",
        "a5:comm.tscatter src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=1"}) {
    const ToolRun run = check(spec, emitted(spec));
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_TRUE(says(run.out, "legal: " + spec + "\n")) << run.out;
    EXPECT_TRUE(says(run.out, "equal: compiled by ")) << run.out;
  }
}

TEST_F(SourceCheckTest, ReportsAMissingWait) {
  const std::string wait = "  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n";
  EXPECT_TRUE(check(kSpec, emitted(kSpec, wait)).fails(1, {"check.report", "race: TLOAD"}));
}

TEST_F(SourceCheckTest, SaysWhereAWrongKernelIsWrong) {
  const std::string file = emitted(kSpec, "ScatterOOB::Clamp", "ScatterOOB::Wrap");
  EXPECT_TRUE(
      check(kSpec, file)
          .fails(1, {"check.result", "with beyond indices", "elements of table, the first at "}));
  const ToolRun run = check(kSpec, file, {"--json"});
  EXPECT_EQ(json::parse(run.out).at("verdict"), "wrong");
}

TEST_F(SourceCheckTest, CountsWhatWasDone) {
  const ToolRun run = check(kSpec, emitted(kSpec), {"--json"});
  const json answer = json::parse(run.out);
  EXPECT_EQ(answer.at("verdict"), "equal");
  EXPECT_EQ(answer.at("spec"), kSpec);
  const json& checked = answer.at("checked");
  EXPECT_EQ(checked.at("runs").size(), 3U);
  EXPECT_EQ(checked.at("transfers"), 6);                // two loads a run
  EXPECT_EQ(checked.at("bytes_written"), 3 * 8 * 128);  // eight rows a run
  EXPECT_EQ(checked.at("met").at(0), json({"MTE2", "V"}));
}

TEST_F(SourceCheckTest, SaysWhichEntryItExpected) {
  EXPECT_TRUE(check(kSpec, emitted(kSpec, "__gm__ int32_t* idx", "__gm__ float* idx"))
                  .fails(2, {"check.compile", "does not accept the text",
                             "the entry is void mscatter_row_clamp_f32(__gm__ float* src, __gm__ "
                             "int32_t* idx, __gm__ float* table)"}));
  EXPECT_TRUE(check(kSpec, put("empty.cpp", "")).fails(2, {"file.entry", "has no kernel"}));
  const std::string two = "__global__ void one(int);\n__global__ void two(int);\n";
  EXPECT_TRUE(check(kSpec, put("two.cpp", two)).fails(2, {"kernels one, two", "--name"}));
  EXPECT_TRUE(check(kSpec, path("none.cpp")).fails(2, {"file.read"}));
}

TEST_F(SourceCheckTest, TakesTheKernelThatIsNamed) {
  const std::string more = "__global__ void other(int) {}\nextern \"C\"";
  const std::string file = emitted(kSpec, "extern \"C\"", more);
  EXPECT_TRUE(check(kSpec, file).fails(2, {"file.entry", "other, mscatter_row_clamp_f32"}));
  EXPECT_EQ(check(kSpec, file, {"--name", "mscatter_row_clamp_f32"}).exit, 0);
}

TEST_F(SourceCheckTest, FindsWhatLiesBesideTheFile) {
  put("rows.h", "constexpr int kRows = 8;\n");
  const std::string file =
      emitted(kSpec, "using namespace pto;", "#include \"rows.h\"\nusing namespace pto;");
  EXPECT_EQ(check(kSpec, file).exit, 0);
}

TEST_F(SourceCheckTest, RunsOnGivenOperandsAndValues) {
  const std::string spec =
      "a5:mscatter.row.skip src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32]";
  const std::string file = emitted(spec);
  const std::string idx = put("idx", indices({5, 5, 900, 0, 1, 2, 3, 4}));
  const ToolRun run =
      check(spec, file, {"--in", "idx=" + idx, "--bind", "src.vr=3,table.d3=7", "--json"});
  ASSERT_EQ(run.exit, 0) << run.out << run.err;
  const json checked = json::parse(run.out).at("checked");
  EXPECT_EQ(checked.at("runs"), json({"the given indices"}));
  EXPECT_EQ(checked.at("bytes_written"), 2 * 128);
  EXPECT_TRUE(says(checked.at("spec").get<std::string>(), "src=f32[8x32|3x32]"));
  EXPECT_TRUE(check(spec, file, {"--bind", "src.vr=9"}).fails(1, {"a5.scatter.valid"}));
  EXPECT_TRUE(check(spec, file, {"--bind", "src.rows=9"}).fails(2, {"bind.name"}));
  EXPECT_TRUE(check(spec, file, {"--in", "idx=" + path("none")}).fails(2, {"file.read"}));
}

TEST_F(SourceCheckTest, RefusesGivenOperandsThatHaveNoOneAnswer) {
  const std::string plain = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const std::string beyond = put("beyond", indices({0, 1, 2, 3, 4, 5, 6, 64}));
  EXPECT_TRUE(
      check(plain, emitted(plain), {"--in", "idx=" + beyond}).fails(2, {"index.range", "64"}));
  const std::string open = "a5:mscatter.row.default src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const std::string twice = put("twice", indices({0, 1, 2, 3, 4, 5, 6, 0}));
  const std::string src = put("src", numbered(256, 4));
  const std::string file = emitted(open);
  EXPECT_EQ(check(open, file, {"--in", "idx=" + twice}).exit, 0);
  EXPECT_TRUE(check(open, file, {"--in", "idx=" + twice, "--in", "src=" + src})
                  .fails(2, {"check.writers", "any of them may win"}));
}

TEST_F(SourceCheckTest, SurvivesKernelsThatMisbehave) {
  const auto doing = [&](const std::string& what) {
    return check(kSpec, emitted(kSpec, "  TLOAD(", "  " + what + "\n  TLOAD("), {"--seconds", "1"});
  };
  EXPECT_TRUE(doing("*(volatile int*)8 = 1;").fails(1, {"check.report", "crash: ", "signal 11"}));
  EXPECT_TRUE(doing("for (volatile int i = 0;; i = 1) {}").fails(1, {"time: ", "1 seconds"}));
}

TEST_F(SourceCheckTest, EndsWhatAKernelLeavesRunning) {
  const ProcessMark mark;
  const std::string lingering =
      "if (::fork() == 0) { ::setsid(); if (::fork() == 0) for (;;) ::pause(); ::_exit(0); }\n";
  emitted(kSpec, "  TLOAD(", "  " + lingering + "  TLOAD(");
  std::string text = "#include <unistd.h>\n";
  const Bytes bytes = get("kernel.cpp");
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const ToolRun run = check(kSpec, put("kernel.cpp", text));
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(mark.alive().empty());
}

TEST_F(SourceCheckTest, KnowsWhenTheCompilerPlacesTheTiles) {
  const std::string text = tool({"emit", kSpec, "--placement", "auto"}).out;
  const std::string file = put("auto.cpp", text);
  EXPECT_EQ(check(kSpec, file, {"--placement", "auto"}).exit, 0);
  EXPECT_TRUE(check(kSpec, file).fails(1, {"tile not placed"}));
}

TEST_F(SourceCheckTest, RefusesOptionsThatNeedAKernel) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--bind", "a=1"},
                                               {"--name", "k"},
                                               {"--in", "src=x"},
                                               {"--placement", "auto"},
                                               {"--trace", "t"},
                                               {"--seconds", "1"}}) {
    std::vector<std::string> arguments = {"check", kSpec};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_TRUE(tool(arguments).fails(2, {"option.source", more[0]}));
  }
  const std::string engine =
      "a5:comm.tscatter.ccu src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=0";
  EXPECT_TRUE(check(engine, emitted(engine)).fails(2, {"check.engine", "CCU"}));
}

TEST_F(SourceCheckTest, RefusesARunWithoutTime) {
  EXPECT_TRUE(check(kSpec, emitted(kSpec), {"--seconds", "0"}).fails(2, {"option.seconds"}));
}

}  // namespace
}  // namespace pto::jit::tests
