// Options of the other commands: none is taken without effect.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

class IdleOptions : public ToolTest {};

TEST_F(IdleOptions, BenchHasNoSeedWithoutIndices) {
  const std::string mask = "a5:tscatter.p0101 src=f32[4x16] dst=f32[4x32]";
  EXPECT_TRUE(tool({"bench", mask, "--seed", "3"}).fails(2, {"option.seed", "--seed"}));
  EXPECT_EQ(tool({"bench", mask}).exit, 0);
}

TEST_F(IdleOptions, JsonIsSpokenAlsoOfErrors) {
  const std::string unknown = "a5:nonsense";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"bench", unknown, "--json"},
                                             {"check", unknown, "--json"},
                                             {"plan", unknown, "--json"},
                                             {"diff", unknown, "--json"},
                                             {"run", unknown, "--json"},
                                             {"audit", unknown, "--json"},
                                             {"targets", "a9", "--json"}}) {
    const ToolRun done = tool(arguments);
    EXPECT_EQ(done.exit, 2) << arguments[0];
    const nlohmann::json answer = nlohmann::json::parse(done.out, nullptr, false);
    ASSERT_FALSE(answer.is_discarded()) << arguments[0] << "\n" << done.out << done.err;
    EXPECT_EQ(answer["verdict"], "unusable") << arguments[0];
  }
}

}  // namespace
}  // namespace pto::jit::tests
