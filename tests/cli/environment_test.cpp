// The tool and its environment, each time in a process of its own.
#include "jit/options/environment.h"

#include <gtest/gtest.h>

#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

const std::string kCheck = " check 'a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]'";

style::Outcome tool_with(const std::string& settings, const std::string& command = kCheck) {
  return style::run(settings + " " + style::quoted(tool_path()) + command);
}

TEST(ToolEnvironment, ABadValueStopsEveryCommand) {
  for (const Variable& variable : variables()) {
    const style::Outcome empty = tool_with(std::string(variable.name) + "=");
    EXPECT_EQ(empty.exit_code, 2) << empty.output;
    EXPECT_NE(empty.output.find(std::string(variable.name) + " is ''"), std::string::npos)
        << empty.output;
    EXPECT_EQ(empty.output.find("legal"), std::string::npos) << empty.output;
  }
  const style::Outcome bad = tool_with("PTOJIT_CACHE_BYTES=5T PTOJIT_PERF=yes");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.output.find("error[env.cache_bytes]: PTOJIT_CACHE_BYTES is '5T'"),
            std::string::npos);
  EXPECT_NE(bad.output.find("error[env.perf]: PTOJIT_PERF is 'yes', not 0 or 1"),
            std::string::npos);
}

TEST(ToolEnvironment, AnUnknownNameIsANoteAndNothingFails) {
  const style::Outcome both = tool_with("PTOJIT_CASH_BYTES=1");
  EXPECT_EQ(both.exit_code, 0) << both.output;
  EXPECT_NE(both.output.find("note[env.unknown]: PTOJIT_CASH_BYTES means nothing; the nearest that "
                             "does is PTOJIT_CACHE_BYTES"),
            std::string::npos)
      << both.output;
  EXPECT_NE(both.output.find("legal: a5:tscatter"), std::string::npos);
  const style::Outcome answer = tool_with("PTOJIT_CASH_BYTES=1", kCheck + " 2> /dev/null");
  EXPECT_EQ(answer.output.find("PTOJIT"), std::string::npos) << answer.output;
}

TEST(ToolEnvironment, HelpListsEveryVariableAndNeedsNoGoodOnes) {
  const style::Outcome help = tool_with("PTOJIT_PERF=yes", " --help");
  EXPECT_EQ(help.exit_code, 0);
  for (const Variable& variable : variables()) {
    const std::string line = std::string(variable.does) + ": " + std::string(variable.values);
    EXPECT_EQ(help.output.find(variable.name) != std::string::npos, !variable.member.empty())
        << variable.name;
    EXPECT_EQ(help.output.find(line) != std::string::npos, !variable.member.empty()) << line;
  }
}

}  // namespace
}  // namespace pto::jit::tests
