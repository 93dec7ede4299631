// The tool's `check` and `targets`: exit codes, streams, and the fields of the JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/tools/tool.h"
#include "targets/report.h"
#include "tests/support/conformance.h"
#include "tests/support/rule_cases.h"

namespace pto::jit::tests {
namespace {

using nlohmann::json;

struct Outcome {
  int exit = -1;
  std::string out;
  std::string err;
};

Outcome tool(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"ptojit"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int exit = cli::run_tool(static_cast<int>(argv.size()), argv.data(), out, err);
  return {exit, out.str(), err.str()};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

const std::string kLegal =
    "a5:mscatter.row.clamp.last src=f32[8x16] idx=i32[1x8] table=f32[64x16@16x1]";
const std::string kCanonical = "a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]";
const std::string kIllegal =
    "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
const std::string kUnreadable = "a5:mscatter.row.clumsy src=f32[8x16]";

TEST(CheckCommand, SaysYesOnStdoutWithNotes) {
  const Outcome outcome = tool({"check", kLegal});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(outcome.out.starts_with("legal: " + kCanonical + "\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "note[a5.row.uncoalesced]: rows of 64 bytes"));
  EXPECT_EQ(outcome.err, "");
}

TEST(CheckCommand, SaysNoOnStderrWithRuleSourceAndRemedy) {
  const Outcome outcome = tool({"check", kIllegal});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with(
      "error[a2a3.scatter.atomic]: atomic max on f32 is not available on a2a3\n"))
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, "\n  rule: A2/A3 has no hardware maximum"));
  EXPECT_TRUE(has(outcome.err, "\n  from: MSCATTER, Atomic Type Support\n"));
  EXPECT_TRUE(has(outcome.err,
                  "\n  try:  a5:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] "
                  "table=f32[64x32]\n"));
}

TEST(CheckCommand, PointsAtWhatItCannotRead) {
  const Outcome outcome = tool({"check", kUnreadable});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("error[text.suffix]: 'clumsy' is not a suffix of mscatter"));
  EXPECT_TRUE(has(outcome.err, "\n  " + kUnreadable + "\n                  ^^^^^^\n"));
}

TEST(CheckCommand, AnswersInJson) {
  const Outcome outcome = tool({"check", kLegal, "--json"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "");
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer.at("verdict"), "legal");
  EXPECT_EQ(answer.at("spec"), kCanonical);
  ASSERT_FALSE(answer.at("diagnostics").empty());
  for (const json& note : answer.at("diagnostics")) {
    EXPECT_EQ(note.at("severity"), "note");
    EXPECT_FALSE(note.at("id").get<std::string>().empty());
    EXPECT_FALSE(note.at("message").get<std::string>().empty());
    EXPECT_FALSE(note.at("from").get<std::string>().empty());
  }
}

TEST(CheckCommand, ExplainsInJson) {
  const Outcome outcome = tool({"check", "--json", kIllegal});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.err, "");
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer.at("verdict"), "illegal");
  EXPECT_EQ(answer.at("spec"), kIllegal);
  const json& problem = answer.at("diagnostics").at(0);
  EXPECT_EQ(problem.at("severity"), "error");
  EXPECT_EQ(problem.at("id"), "a2a3.scatter.atomic");
  EXPECT_TRUE(problem.contains("message") && problem.contains("rule") && problem.contains("from"));
  EXPECT_EQ(tool({"check", problem.at("try").get<std::string>()}).exit, 0);
  EXPECT_FALSE(problem.contains("at"));
}

TEST(CheckCommand, PointsInJson) {
  const Outcome outcome = tool({"check", kUnreadable, "--json"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "");
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer.at("verdict"), "unusable");
  EXPECT_FALSE(answer.contains("spec"));
  ASSERT_EQ(answer.at("diagnostics").size(), 1u);
  const json& at = answer.at("diagnostics").at(0).at("at");
  EXPECT_EQ(kUnreadable.substr(at.at("begin"), at.at("length")), "clumsy");
}

TEST(CheckCommand, SurvivesBytesThatAreNoText) {
  for (const std::string text : {"", "\xff\xfe", "a5:\x1b[31m",
                                 "a5:tscatter src=f32[8\xc3\x97"
                                 "8]"}) {
    EXPECT_EQ(tool({"check", text}).exit, 2);
    const Outcome outcome = tool({"check", text, "--json"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(json::parse(outcome.out).at("verdict"), "unusable");
  }
}

TEST(CheckCommand, AgreesWithEveryConformanceCase) {
  for (const ConformanceCase& entry : conformance_cases())
    EXPECT_EQ(tool({"check", entry.spec}).exit, entry.legal ? 0 : 1) << entry.spec;
}

TEST(CheckCommand, PassesEverythingItTellsToTry) {
  for (const RuleCase& entry : rule_cases()) {
    const Outcome outcome = tool({"check", entry.broken, "--json"});
    ASSERT_EQ(outcome.exit, 1) << entry.broken;
    const json answer = json::parse(outcome.out);
    for (const json& problem : answer.at("diagnostics")) {
      const std::string remedy = problem.at("try");
      EXPECT_EQ(tool({"check", remedy}).exit, 0) << entry.broken << " -> " << remedy;
    }
  }
}

TEST(TargetsCommand, PrintsTheTables) {
  EXPECT_EQ(tool({"targets"}).out, report_all());
  EXPECT_EQ(tool({"targets", "a5"}).out, report(profile_of(Target::A5)));
  EXPECT_EQ(tool({"targets", "a3"}).out, report(profile_of(Target::A2A3)));
  EXPECT_EQ(tool({"targets", "cpu"}).exit, 0);
}

TEST(TargetsCommand, RefusesAnUnknownTarget) {
  for (const std::string format : {"", "--json"}) {
    std::vector<std::string> arguments = {"targets", "a6"};
    if (!format.empty()) arguments.push_back(format);
    const Outcome outcome = tool(arguments);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(has(outcome.err + outcome.out, "'a6' is not a target"));
  }
  EXPECT_EQ(tool({"targets", "a6"}).out, "");
}

void expect_target(const json& target, const std::string& name) {
  EXPECT_EQ(target.at("target"), name);
  EXPECT_FALSE(target.at("title").get<std::string>().empty());
  ASSERT_EQ(target.at("ops").size(), 6u);
  for (const auto& [family, op] : target.at("ops").items()) {
    for (const char* column : {"dtypes", "index_dtypes", "oob", "conflicts", "data_layouts",
                               "index_layouts", "store_layouts", "table_layouts"})
      EXPECT_TRUE(op.at(column).is_array()) << family << " " << column;
    EXPECT_TRUE(op.at("atomics").at("add").is_array()) << family;
  }
  for (const json& rule : target.at("rules")) {
    EXPECT_FALSE(rule.at("ids").empty());
    EXPECT_TRUE(rule.at("ids").at(0).get<std::string>().starts_with(name + "."));
    EXPECT_FALSE(rule.at("rule").get<std::string>().empty());
    EXPECT_FALSE(rule.at("from").get<std::string>().empty());
  }
}

TEST(TargetsCommand, AnswersInJson) {
  const json all = json::parse(tool({"targets", "--json"}).out);
  ASSERT_EQ(all.size(), 3u);
  expect_target(all.at(0), "cpu");
  expect_target(all.at(1), "a2a3");
  expect_target(all.at(2), "a5");
  expect_target(json::parse(tool({"targets", "a5", "--json"}).out), "a5");
}

TEST(Tool, HelpsAndSucceeds) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"check", "--help"}, {"targets", "--help"}}) {
    const Outcome outcome = tool(arguments);
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_TRUE(has(outcome.out, "ptojit") && has(outcome.out, "--help")) << outcome.out;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_TRUE(has(tool({"--help"}).out, "check"));
  EXPECT_TRUE(has(tool({"--help"}).out, "targets"));
}

TEST(Tool, RefusesWhatItDoesNotKnow) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"chek", kLegal},
                                             {"check"},
                                             {"check", kLegal, "more"},
                                             {"check", "--jason", kLegal},
                                             {"--json"},
                                             {"targets", "a5", "cpu"}}) {
    const Outcome outcome = tool(arguments);
    EXPECT_EQ(outcome.exit, 2) << (arguments.empty() ? "no arguments" : arguments[0]);
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(outcome.err.empty());
  }
  EXPECT_TRUE(has(tool({"check", "--jason", kLegal}).err, "--jason"));
}

}  // namespace
}  // namespace pto::jit::tests
