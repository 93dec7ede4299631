// docs/environment.md has the table of variables as it is.
#include "jit/options/environment.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/golden.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kBegin = "<!-- variables -->\n";
constexpr std::string_view kEnd = "<!-- end -->\n";

std::string table() {
  std::string out = "| variable | values | says | member |\n|---|---|---|---|\n";
  for (const Variable& variable : variables()) {
    const std::string member(variable.member);
    out += "| `" + std::string(variable.name) + "` | " + std::string(variable.values) + " | " +
           std::string(variable.does) + " | " +
           (member.empty() ? "none: for the tests" : "`" + member + "`") + " |\n";
  }
  return out;
}

TEST(Docs, EnvironmentIsCurrent) {
  const std::string kept = read_text("docs/environment.md");
  const std::size_t begin = kept.find(kBegin);
  const std::size_t end = kept.find(kEnd);
  ASSERT_LT(begin, end);
  EXPECT_TRUE(matches_file("docs/environment.md",
                           kept.substr(0, begin + kBegin.size()) + table() + kept.substr(end)));
}

}  // namespace
}  // namespace pto::jit::tests
