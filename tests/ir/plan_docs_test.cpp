// docs/plan.md says each field and each verb: nothing of a plan is left to be guessed.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "ir/plan.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/support/grid.h"
#include "tests/support/names.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

Names described() { return names_in(read_text("docs/plan.md"), "`(\\w+)`"); }

Names missing(const Names& wanted, const Names& given) {
  Names out;
  for (const std::string& name : wanted) {
    if (!given.contains(name)) out.insert(name);
  }
  return out;
}

TEST(PlanDocs, SayEveryVerbTheWalksUse) {
  const Names verbs = names_in(read_text("ir/walk.h"), "\\be\\.(\\w+)\\(");
  EXPECT_GE(verbs.size(), 25U);
  EXPECT_EQ(missing(verbs, described()), Names{});
}

TEST(PlanDocs, SayNoVerbThatIsGone) {
  const std::string text = read_text("docs/plan.md");
  const std::string table = text.substr(text.find("| verb |"));
  const Names verbs = names_in(read_text("ir/walk.h"), "\\be\\.(\\w+)\\(");
  EXPECT_EQ(missing(names_in(table, "\\| `(\\w+)` \\|"), verbs), Names{});
}

// What the walks are constrained by names all they use, so that an emitter without it is told so.
TEST(PlanDocs, EveryVerbIsPartOfAConcept) {
  const std::string verb = "\\be\\.(\\w+)\\(";
  EXPECT_EQ(names_in(read_text("ir/emitter_concepts.h"), verb),
            names_in(read_text("ir/walk.h"), verb));
}

// Members are the lines of a struct that end, or go on with a value, after a name.
Names fields_of_the_plan() {
  return names_in(read_text("ir/plan.h"), "\n  [\\w:]+(?:<[^>\n]*>)? (\\w+)(?: =|\\{\\};|;)");
}

TEST(PlanDocs, SayEveryField) {
  const Names fields = fields_of_the_plan();
  for (const char* known : {"direction", "number", "digits", "row_step", "rank_step", "table_step"})
    EXPECT_TRUE(fields.contains(known)) << known;
  EXPECT_EQ(missing(fields, described()), Names{});
}

TEST(PlanDocs, SayEveryWalk) {
  const Names walks = names_in(read_text("ir/walk.h"), "\n\\S+ (walk\\w*)\\(");
  EXPECT_EQ(walks, (Names{"walk", "walk_backward", "walk_by_owner"}));
  EXPECT_EQ(missing(walks, described()), Names{});
}

Names labels_of(const KernelPlan& plan) {
  Names out;
  for (const std::string& line : split(print(plan), '\n'))
    out.insert(line.substr(0, line.find(' ')));
  out.erase("");
  return out;
}

const Names& printed_labels() {
  static const Names kAll = [] {
    Names out;
    for (const KernelSpec& spec : legal_grid()) out.merge(labels_of(make_plan(*verify(spec))));
    return out;
  }();
  return kAll;
}

TEST(PlanDocs, SayEveryLabelThatIsPrinted) {
  EXPECT_GE(printed_labels().size(), 12U);
  const std::string text = read_text("docs/plan.md");
  const Names table = names_in(text.substr(0, text.find("## Walks")), "\\| (?:\\w+, )?(\\w+) \\|");
  EXPECT_EQ(missing(printed_labels(), table), Names{});
}

TEST(PlanDocs, SayWhichLineOfThePlanAVerbDoes) {
  const std::string text = read_text("docs/plan.md");
  const std::string table = text.substr(text.find("| verb |"));
  const std::string row = "\\| `(\\w+)` \\|";
  EXPECT_EQ(names_in(table, row + " \\w+"), names_in(table, row));
  Names lines;
  for (const std::string& each : names_in(table, "\\| `\\w+` \\| ([a-z, ]+) \\|"))
    lines.merge(names_in(each, "(\\w+)"));
  EXPECT_EQ(missing(lines, printed_labels()), Names{});
}

// Each example is a spec with its plan below it.
TEST(PlanDocs, ShowPlansAsTheyAre) {
  const std::string text = read_text("docs/plan.md");
  const std::regex example("```\n([^\n]+)\n([^`]+)```");
  int count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), example), end; at != end; ++at, ++count) {
    const Result<KernelSpec> spec = parse((*at)[1].str());
    ASSERT_TRUE(spec) << (*at)[1].str();
    EXPECT_EQ(print(*spec), (*at)[1].str());
    const Result<LegalSpec> legal = verify(*spec);
    ASSERT_TRUE(legal) << render(legal.error());
    EXPECT_EQ(print(make_plan(*legal), spec->op), (*at)[2].str());
  }
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace pto::jit::tests
