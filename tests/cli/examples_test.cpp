// The kernels of docs/examples are right as they are, and reported without one of their waits.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/tool_fixture.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kSpec = "// Spec: ";
constexpr std::string_view kWait = "  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n";
constexpr std::string_view kSet = "  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n";

struct Example {
  std::string name;
  std::string text;
  std::vector<std::string> specs;
};

std::vector<Example> examples() {
  std::vector<Example> out;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/docs/examples")) {
    if (entry.is_directory()) continue;
    std::ifstream in(entry.path());
    Example example{entry.path().stem(), {std::istreambuf_iterator<char>(in), {}}, {}};
    for (std::size_t at = example.text.find(kSpec); at != std::string::npos;
         at = example.text.find(kSpec, at + 1)) {
      const std::size_t begin = at + kSpec.size();
      example.specs.push_back(example.text.substr(begin, example.text.find('\n', at) - begin));
    }
    out.push_back(std::move(example));
  }
  return out;
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.erase(at, part.size());
}

class HandWrittenExamples : public ToolTest {
 protected:
  ToolRun check(const std::string& spec, const std::string& text) const {
    return tool({"check", spec, "--source", put("kernel.cpp", text)});
  }
};

TEST_F(HandWrittenExamples, AreRight) {
  std::size_t checked = 0;
  for (const Example& example : examples()) {
    for (const std::string& spec : example.specs) {
      const ToolRun run = check(spec, example.text);
      EXPECT_EQ(run.exit, 0) << example.name << ", " << spec << "\n" << run.err;
      ++checked;
    }
  }
  EXPECT_EQ(examples().size(), 5U);
  EXPECT_EQ(checked, 9U);
}

// A2/A3's instruction waits for loads by itself: there only the flag that is left set is noticed.
TEST_F(HandWrittenExamples, AreReportedWithoutAWait) {
  for (const Example& example : examples()) {
    const std::string half = without(example.text, kWait);
    EXPECT_TRUE(check(example.specs.front(), half).fails(1, {"check.report", "flag not waited"}))
        << example.name;
    ASSERT_TRUE(example.specs.back().starts_with("a5:"));
    EXPECT_TRUE(
        check(example.specs.back(), without(half, kSet)).fails(1, {"check.report", "race: TLOAD"}))
        << example.name;
  }
}

TEST_F(HandWrittenExamples, AreReportedWithoutTheirFlush) {
  const Example example = examples().front();
  const std::string text = without(example.text, "  dsb(DSB_DDR);\n");
  EXPECT_TRUE(check(example.specs.back(), text).fails(1, {"cache not flushed"})) << example.name;
}

}  // namespace
}  // namespace pto::jit::tests
