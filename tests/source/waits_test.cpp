// Every wait and flush of the kept kernels is there for a reason: without it the emulation has
// something to say. What the device's documents ask for although the emulation can do without is
// listed in a golden.
#include <gtest/gtest.h>

#include <map>

#include "ir/spec_text.h"
#include "jit/text/source/kernel_text.h"
#include "targets/source_planner.h"
#include "tests/source/golden_kernels.h"
#include "tests/support/emulated.h"
#include "tests/support/golden.h"
#include "tests/support/sample_size.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260107;

// A kernel without one of its lines, or without both lines of a flag.
struct Removal {
  std::string_view file;
  std::vector<EmulatedCase> cases;  // the same kernel on different indices
  std::string what;                 // on one line
  bool is_half = false;             // one of the two lines of a flag
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  return out;
}

bool says(const std::string& line, std::string_view word) {
  return line.find(word) != std::string::npos;
}

std::string shown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += out.empty() || out.back() == ' ' ? "" : " ";
    } else if (c != ' ' || (!out.empty() && out.back() != ' ')) {
      out += c;
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Notes which occurrence of a text a removal means.
class Removals {
 public:
  Removals(const GoldenKernel& kernel, const std::vector<Workload>& loads,
           std::vector<Removal>& out)
      : kernel_(kernel), loads_(loads), out_(out) {}

  void add(const std::string& text, bool is_half) {
    const TextCut cut{text, seen_[text]++};
    std::vector<EmulatedCase> cases;
    for (const Workload& load : loads_)
      cases.push_back({load, kernel_.placement, cut, kernel_.is_expanded});
    out_.push_back({kernel_.file, std::move(cases), shown(text), is_half});
  }

 private:
  const GoldenKernel& kernel_;
  const std::vector<Workload>& loads_;
  std::vector<Removal>& out_;
  std::map<std::string, std::size_t> seen_;
};

// What the emulation runs of the kept kernels.
std::optional<SourcePlan> plan_of(const LegalSpec& legal, const GoldenKernel& kernel) {
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.is_expanded = kernel.is_expanded, .placement = kernel.placement});
  const bool is_run = plan && legal.spec().engine == Engine::Aiv;
  return is_run ? std::optional(*plan) : std::nullopt;
}

void add_removals(const GoldenKernel& kernel, std::vector<Removal>& out) {
  const LegalSpec legal = *verify(*parse(kernel.spec));
  const std::optional<SourcePlan> plan = plan_of(legal, kernel);
  if (!plan) return;
  const KernelSpec bound = bindings_for(legal).front();
  std::vector<Workload> loads;
  const bool has_index = has_role(legal.spec().op, Role::Index);
  for (const Pattern pattern : {Pattern::Sequential, Pattern::Random, Pattern::Equal}) {
    if (has_index == (pattern == Pattern::Sequential)) continue;  // two say more than one
    loads.push_back(*make_workload(legal, bound, pattern, kSeed));
    if (!has_index) break;
  }
  const std::string text = source::kernel_text(*plan);
  Removals removals(kernel, loads, out);
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (says(lines[i], "set_flag(")) removals.add(lines[i] + lines[i + 1], false);
    if (says(lines[i], "set_flag(") || says(lines[i], "wait_flag(")) removals.add(lines[i], true);
    for (const std::string_view word : {"pipe_barrier(", "dcci(", "dsb("}) {
      if (says(lines[i], word)) removals.add(lines[i], false);
    }
  }
}

std::vector<Removal> removals_from(const std::vector<GoldenKernel>& kernels) {
  std::vector<Removal> out;
  for (const GoldenKernel& kernel : kernels) add_removals(kernel, out);
  return out;
}

// The lines of the golden that speak of some kernels.
std::string kept_lines(const std::vector<GoldenKernel>& kernels) {
  std::string out;
  for (const std::string& line :
       split(read_text("tests/golden/source/redundant_waits.txt"), '\n')) {
    for (const GoldenKernel& kernel : kernels) {
      if (line.starts_with(std::string(kernel.file) + ": ")) out += line + "\n";
    }
  }
  return out;
}

TEST(Waits, AreMissedWhenTheyAreGone) {
  const std::vector<GoldenKernel> kernels =
      sampled(std::vector(kGoldenKernels.begin(), kGoldenKernels.end()), 5, "kept kernels");
  const std::vector<Removal> removals = removals_from(kernels);
  std::vector<EmulatedCase> cases;
  for (const Removal& removal : removals)
    cases.insert(cases.end(), removal.cases.begin(), removal.cases.end());
  const std::vector<EmulatedRun> runs = run_emulated(cases);
  std::string redundant;
  std::size_t missed = 0;
  std::size_t at = 0;
  for (const Removal& removal : removals) {
    bool is_missed = false;
    for (std::size_t i = 0; i < removal.cases.size(); ++i, ++at) {
      ASSERT_EQ(runs[at].trouble, "") << removal.file;
      is_missed = is_missed || !difference(cases[at], runs[at]).empty();
    }
    missed += is_missed ? 1 : 0;
    EXPECT_TRUE(is_missed || !removal.is_half) << removal.file << ": " << removal.what;
    if (!is_missed) redundant += std::string(removal.file) + ": " + removal.what + "\n";
  }
  std::printf("%zu of %zu removals missed\n", missed, removals.size());
  EXPECT_GT(missed, removals.size() / 2);
  if (!takes_full_samples()) {
    EXPECT_EQ(redundant, kept_lines(kernels));
    return;
  }
  EXPECT_TRUE(matches_golden("source/redundant_waits.txt", redundant));
}

}  // namespace
}  // namespace pto::jit::tests
