// What becomes of an answer that cannot be written.
#include <gtest/gtest.h>

#include <string>

#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

constexpr const char* kSpec = "'a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]'";

style::Outcome run_tool(const std::string& arguments) {
  return style::run(style::quoted(tool_path()) + " " + arguments);
}

class LostOutput : public ::testing::TestWithParam<const char*> {};

TEST_P(LostOutput, IsAnErrorOfEveryCommand) {
  std::string arguments = GetParam();
  if (const std::size_t at = arguments.find("SPEC"); at != std::string::npos)
    arguments.replace(at, 4, kSpec);
  const style::Outcome written = run_tool(arguments + " > /dev/null");
  EXPECT_NE(written.exit_code, 2) << written.output;
  const style::Outcome lost = run_tool(arguments + " > /dev/full");
  EXPECT_EQ(lost.exit_code, 2) << lost.output;
  EXPECT_NE(lost.output.find("error[output.lost]: the output could not be written"),
            std::string::npos)
      << lost.output;
}

INSTANTIATE_TEST_SUITE_P(Commands, LostOutput,
                         ::testing::Values("check SPEC", "check SPEC --json", "plan SPEC",
                                           "plan SPEC --json", "targets", "targets --json",
                                           "emit SPEC", "emit SPEC --form asm", "diff SPEC",
                                           "bench SPEC", "--help", "--version"));

TEST(Version, IsThatOfTheProject) {
  const style::Outcome shown = run_tool("--version");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(shown.output.starts_with("ptojit ")) << shown.output;
}

}  // namespace
}  // namespace pto::jit::tests
