// Every wait and flush of the kept kernels is there for a reason: without it the emulation has
// something to say. What the device's documents ask for although the emulation can do without is
// listed in a golden.
#include <gtest/gtest.h>

#include <map>

#include "ir/spec_text.h"
#include "jit/source/kernel_text.h"
#include "targets/source_planner.h"
#include "tests/source/golden_kernels.h"
#include "tests/support/emulated.h"
#include "tests/support/golden.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260107;

// A kernel without one of its lines, or without both lines of a flag.
struct Removal {
  std::string_view file;
  EmulatedCase entry;
  std::string what;      // on one line
  bool is_half = false;  // one of the two lines of a flag
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
  Removals(const GoldenKernel& kernel, const Workload& load, std::vector<Removal>& out)
      : kernel_(kernel), load_(load), out_(out) {}

  void add(const std::string& text, bool is_half) {
    const std::size_t occurrence = seen_[text]++;
    out_.push_back(
        {kernel_.file, {load_, kernel_.placement, {text, occurrence}}, shown(text), is_half});
  }

 private:
  const GoldenKernel& kernel_;
  const Workload& load_;
  std::vector<Removal>& out_;
  std::map<std::string, std::size_t> seen_;
};

void add_removals(const GoldenKernel& kernel, std::vector<Removal>& out) {
  const LegalSpec legal = *verify(*parse(kernel.spec));
  const bool is_run = !make_source_plan(legal, {.placement = kernel.placement})->host_flags.empty();
  if (!is_run || legal.spec().engine == Engine::Ccu) return;
  const KernelSpec bound = bindings_for(legal).front();
  std::optional<Workload> load = make_workload(legal, bound, Pattern::Random, kSeed);
  if (!load) load = make_workload(legal, bound, Pattern::Sequential, kSeed);
  const std::string text =
      source::kernel_text(*make_source_plan(legal, {.placement = kernel.placement}));
  Removals removals(kernel, *load, out);
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (says(lines[i], "set_flag(")) removals.add(lines[i] + lines[i + 1], false);
    if (says(lines[i], "set_flag(") || says(lines[i], "wait_flag(")) removals.add(lines[i], true);
    for (const std::string_view word : {"pipe_barrier(", "dcci(", "dsb("}) {
      if (says(lines[i], word)) removals.add(lines[i], false);
    }
  }
}

TEST(Waits, AreMissedWhenTheyAreGone) {
  std::vector<Removal> removals;
  for (const GoldenKernel& kernel : kGoldenKernels) add_removals(kernel, removals);
  std::vector<EmulatedCase> cases;
  for (const Removal& removal : removals) cases.push_back(removal.entry);
  const std::vector<EmulatedRun> runs = run_emulated(cases);
  std::string redundant;
  std::size_t missed = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i].trouble, "") << removals[i].file;
    const bool is_missed = !difference(cases[i], runs[i]).empty();
    missed += is_missed ? 1 : 0;
    EXPECT_TRUE(is_missed || !removals[i].is_half) << removals[i].file << ": " << removals[i].what;
    if (!is_missed) redundant += std::string(removals[i].file) + ": " + removals[i].what + "\n";
  }
  std::printf("%zu of %zu removals missed\n", missed, runs.size());
  EXPECT_GT(missed, runs.size() / 2);
  EXPECT_TRUE(matches_golden("source/redundant_waits.txt", redundant));
}

}  // namespace
}  // namespace pto::jit::tests
