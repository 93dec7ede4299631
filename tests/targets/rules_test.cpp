// Every rule of every target: a spec that breaks it, what is said, and a legal spec next to it.
#include "targets/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "targets/verify.h"
#include "tests/support/grid.h"
#include "tests/support/rule_cases.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

// Rules that no text can break, and why.
struct Exempt {
  std::string_view id;
  std::string_view why;
};
constexpr Exempt kExempt[] = {
    {"a5.scatter.dtype", "A5 moves every dtype there is"},
    {"a5.gather.dtype", "A5 moves every dtype there is"},
    {"a5.comm.dtype", "A5 moves every dtype there is"},
    {"cpu.scatter.stride", "the text has no such stride; see Rules.RefuseStridesNoTextCanWrite"},
    {"a2a3.scatter.stride", "see above"},
    {"a5.scatter.stride", "see above"},
    {"cpu.gather.stride", "see above"},
    {"a2a3.gather.stride", "see above"},
    {"a5.gather.stride", "see above"},
    {"cpu.comm.stride", "see above"},
    {"a2a3.comm.stride", "see above"},
    {"a5.comm.stride", "see above"},
};

// Every rule row of every target, once for each of its operations.
std::vector<std::string> all_ids() {
  std::vector<std::string> out;
  for (const Profile* profile : all_profiles()) {
    for (const std::span<const RuleRow> rows : {common_rules(), profile->rules}) {
      for (const RuleRow& row : rows)
        row.ops.for_each([&](Op op) { out.push_back(full_id(*profile, op, *row.rule)); });
    }
  }
  return out;
}

KernelSpec read(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << render(spec.error(), text);
  return spec ? *spec : KernelSpec{};
}

std::set<std::string> broken_ids(const Diagnostics& problems) {
  std::set<std::string> out;
  for (const Diagnostic& problem : problems) out.insert(problem.id);
  return out;
}

std::string joined(const std::set<std::string>& ids) {
  std::string out;
  for (const std::string& id : ids) out += id + " ";
  return out;
}

// Words in which two specs differ.
int distance(const std::string& a, const std::string& b) {
  const std::vector<std::string> left = split(a, ' ');
  const std::vector<std::string> right = split(b, ' ');
  int out = 0;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    out += i < left.size() && i < right.size() && left[i] == right[i] ? 0 : 1;
  return out;
}

TEST(Rules, StandOnceForEachTargetAndOperation) {
  const std::vector<std::string> ids = all_ids();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  std::cout << ids.size() << " rules of targets and operations\n";
}

TEST(Rules, EachHasACaseThatShowsIt) {
  std::set<std::string> shown;
  for (const RuleCase& entry : rule_cases()) shown.insert(entry.breaks.at(0));
  for (const Exempt& exempt : kExempt)
    EXPECT_TRUE(shown.insert(std::string(exempt.id)).second) << exempt.id << " has a case";
  const std::vector<std::string> ids = all_ids();
  for (const std::string& id : ids) EXPECT_TRUE(shown.contains(id)) << id << " has no case";
  for (const std::string& id : shown)
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id << " is no rule";
}

TEST(Rules, EachCaseBreaksWhatItSaysAndNothingElse) {
  for (const RuleCase& entry : rule_cases()) {
    const Result<LegalSpec> verdict = verify(read(entry.broken));
    ASSERT_FALSE(verdict) << "legal: " << entry.broken;
    const std::set<std::string> expected(entry.breaks.begin(), entry.breaks.end());
    EXPECT_EQ(joined(broken_ids(verdict.error())), joined(expected))
        << "ptojit check '" << entry.broken << "'";
  }
}

TEST(Rules, EachCaseHasALegalNeighbour) {
  for (const RuleCase& entry : rule_cases()) {
    const Result<LegalSpec> verdict = verify(read(entry.neighbour));
    EXPECT_TRUE(verdict) << "ptojit check '" << entry.neighbour << "'\n"
                         << (verdict ? "" : render(verdict.error()));
    EXPECT_LE(distance(entry.broken, entry.neighbour), 3) << entry.broken << "\n"
                                                          << entry.neighbour;
  }
}

TEST(Rules, EachDiagnosticSaysEverything) {
  for (const RuleCase& entry : rule_cases()) {
    const Result<LegalSpec> verdict = verify(read(entry.broken));
    ASSERT_FALSE(verdict) << entry.broken;
    for (const Diagnostic& problem : verdict.error()) {
      EXPECT_EQ(problem.severity, Severity::Error);
      EXPECT_FALSE(problem.message.empty()) << problem.id;
      EXPECT_FALSE(problem.rule.empty()) << problem.id;
      EXPECT_FALSE(problem.from.empty()) << problem.id;
      EXPECT_FALSE(problem.at) << problem.id;
      const Result<KernelSpec> remedy = parse(problem.suggestion);
      EXPECT_TRUE(remedy && is_legal(*remedy)) << entry.broken << " -> " << problem.suggestion;
    }
  }
}

TEST(Profiles, StandInTheOrderOfTheirTargets) {
  for (const Profile* profile : all_profiles())
    EXPECT_EQ(&profile_of(profile->target), profile) << profile->title;
}

TEST(Profiles, HaveAConflictPolicyWhereTheTextDoes) {
  for (const Profile* profile : all_profiles()) {
    for (const Operation& operation : kOperations) {
      const bool is_said = operation.combines && has_conflict_policy(profile->target);
      EXPECT_EQ(!profile->of(operation.op).conflicts.empty(), is_said)
          << profile->title << " " << operation.form;
    }
  }
}

TEST(Rules, RefuseStridesNoTextCanWrite) {
  constexpr std::int64_t kBad[] = {0, -2, kMaxStride + 1};
  for (const Profile* profile : all_profiles()) {
    const std::string target(name_of(profile->target));
    for (const std::string spec : {"mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[4x8]",
                                   "mgather.elem dst=f32[8x16] idx=i32[8x16] table=f32[4x8]",
                                   "comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] "
                                   "ranks=2 root=0"}) {
      KernelSpec raw = read(target + ":" + spec);
      ASSERT_TRUE(is_legal(raw));
      for (const std::int64_t stride : kBad) {
        raw.table.strides = {1, 1, 1, stride, 1};
        const Result<LegalSpec> verdict = verify(raw);
        ASSERT_FALSE(verdict) << spec;
        const std::string id = target + "." + std::string(operation_of(raw.op).id) + ".stride";
        EXPECT_TRUE(broken_ids(verdict.error()).contains(id))
            << joined(broken_ids(verdict.error()));
        EXPECT_FALSE(verdict.error()[0].suggestion.empty());
      }
    }
  }
}

TEST(Rules, NoneIsReportedTwice) {
  for_each_spec([](const KernelSpec& spec) {
    const Result<LegalSpec> verdict = verify(spec);
    if (verdict) return;
    ASSERT_EQ(broken_ids(verdict.error()).size(), verdict.error().size()) << print(spec);
  });
}

TEST(Rules, EveryIllegalGridSpecHasALegalOneToTry) {
  int illegal = 0;
  for_each_spec([&](const KernelSpec& spec) {
    if (is_legal(spec)) return;
    ++illegal;
    const std::optional<KernelSpec> nearest = nearest_legal(spec);
    ASSERT_TRUE(nearest) << "ptojit check '" << print(spec) << "'";
    ASSERT_TRUE(is_legal(*nearest)) << print(spec) << "\n" << print(*nearest);
    ASSERT_TRUE(is_legal(*parse(print(*nearest)))) << print(*nearest);
  });
  std::cout << illegal << " illegal specs, each with a legal one to try\n";
  EXPECT_GE(illegal, 5000);
}

// What is left has no home where it is: mask forms and maxima off A5, atomics of gathers.
TEST(Rules, SuggestionsKeepMeaningAndTargetWhereTheyCan) {
  int illegal = 0;
  std::map<std::string, int> given;
  for_each_spec([&](const KernelSpec& spec) {
    const Result<LegalSpec> verdict = verify(spec);
    if (verdict) return;
    ++illegal;
    const Diagnostic& problem = verdict.error().front();
    const KernelSpec found = *parse(problem.suggestion);
    const bool moves = found.target != spec.target;
    const bool changes = found.oob != spec.oob || found.atomic != spec.atomic ||
                         found.coalesce != spec.coalesce || found.unit != spec.unit ||
                         found.audit != spec.audit;
    if (moves || changes) {
      EXPECT_FALSE(problem.gives_up.empty()) << print(spec) << "\n" << problem.suggestion;
    }
    if (moves) ++given["another target"];
    if (changes) ++given["another operation"];
    if (!problem.gives_up.empty()) ++given["something, and says so"];
  });
  std::cout << illegal << " suggestions give up";
  for (const auto& [what, count] : given) std::cout << "; " << what << ": " << count;
  std::cout << "\n";
  EXPECT_LE(given["another target"] * 100, illegal * 2);
}

struct Tried {
  std::string_view broken;
  std::string_view suggestion;
  std::string_view gives_up;
};

constexpr Tried kTried[] = {
    {"a2a3:mscatter.elem src=f8e5m2[8x32] idx=i32[8x32] table=f8e5m2[256]",
     "a2a3:mscatter.elem src=u8[8x32] idx=i32[8x32] table=u8[256]", ""},
    {"a2a3:mscatter.elem.atomic_add src=f8e5m2[8x16] idx=i32[8x16] table=f8e5m2[256]",
     "a2a3:mscatter.elem.atomic_add src=f16[8x16] idx=i32[8x16] table=f16[256]", "f8e5m2"},
    {"a2a3:mscatter.elem.atomic_add src=u32[8x16] idx=i32[8x16] table=u32[256]",
     "a2a3:mscatter.elem.atomic_add src=i32[8x16] idx=i32[8x16] table=i32[256]", ""},
    {"a2a3:mscatter.elem.atomic_max src=f32[8x16] idx=i32[8x16] table=f32[256]",
     "a5:mscatter.elem.atomic_max src=f32[8x16] idx=i32[8x16] table=f32[256]", "a2a3"},
    {"a5:mscatter.elem.atomic_min src=f16[8x16] idx=i32[8x16] table=f16[256]",
     "a5:mscatter.elem.atomic_min src=f32[8x16] idx=i32[8x16] table=f32[256]", "f16"},
    {"a2a3:mscatter.elem.default src=f32[8x16] idx=i32[8x16] table=f32[256]",
     "a2a3:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[256]", ""},
    {"a2a3:mgather.elem dst=f32[8x16]:cm idx=i32[8x16] table=f32[256]",
     "a2a3:mgather.elem dst=f32[8x16] idx=i32[8x16] table=f32[256]", ""},
    {"a5:mscatter.elem.zero src=f32[8x16] idx=i32[8x16] table=f32[256]",
     "a5:mscatter.elem.skip src=f32[8x16] idx=i32[8x16] table=f32[256]", "zero"},
    {"a2a3:tscatter.p0101.audit src=f32[4x16] dst=f32[4x32]",
     "a5:tscatter.p0101 src=f32[4x16] dst=f32[4x32]", "a2a3, the audit"},
    {"a5:mscatter.elem src=f32[8x16|9x16] idx=i32[9x16] table=f32[256]",
     "a5:mscatter.elem src=f32[9x16] idx=i32[9x16] table=f32[256]", ""},
};

TEST(Rules, SuggestionsSayWhatTheyGiveUp) {
  for (const Tried& entry : kTried) {
    const Result<LegalSpec> verdict = verify(read(std::string(entry.broken)));
    ASSERT_FALSE(verdict) << entry.broken;
    EXPECT_EQ(verdict.error()[0].suggestion, entry.suggestion);
    EXPECT_EQ(verdict.error()[0].gives_up, entry.gives_up) << entry.broken;
  }
}

TEST(Rules, TheGridBreaksAlmostAllOfThem) {
  std::map<std::string, int> seen;
  for_each_spec([&](const KernelSpec& spec) {
    const Result<LegalSpec> verdict = verify(spec);
    if (verdict) return;
    for (const Diagnostic& problem : verdict.error()) ++seen[problem.id];
  });
  std::size_t unseen = 0;
  for (const std::string& id : all_ids()) unseen += seen.contains(id) ? 0 : 1;
  std::cout << seen.size() << " rules broken in the grid, " << unseen << " not\n";
  EXPECT_LE(unseen * 4, all_ids().size());
}

}  // namespace
}  // namespace pto::jit::tests
