#include <charconv>

#include "ir/spec_text.h"
#include "tests/fuzz/changed_spec.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/kernel_check.h"
#include "tests/support/judged_text.h"
#include "tests/support/spoiled_text.h"

namespace pto::jit::tests {
namespace {

Tally tally;

struct Lines {
  std::string_view text;
  std::uint64_t number = 0;
};

Lines lines_of(std::string_view input) {
  Lines out{input.substr(0, input.find('\n'))};
  const std::string_view rest = input.substr(out.text.size());
  if (!rest.empty()) std::from_chars(rest.data() + 1, rest.data() + rest.size(), out.number);
  return out;
}

std::string finding(std::string_view input) {
  const Lines lines = lines_of(input);
  ++tally.inputs;
  const std::string complaint = complaint_about_text(lines.text);
  const Result<KernelSpec> spec = parse(lines.text);
  if (!spec || !complaint.empty()) return complaint;
  ++tally.specs;
  if (!is_legal(*spec)) return "";
  ++tally.legal;
  return complaint_about_kernel(*verify(*spec), lines.number, tally);
}

// Combinations that were never run come first. Of the others one in six has its text spoiled, the
// rest names a spec.
std::string mutated(std::string_view input, Random& random) {
  if (const auto aim = tally.combinations.next_aim()) return input_for(*aim, random);
  const Lines lines = lines_of(input);
  const std::string number = "\n" + std::to_string(random.below(100000));
  const std::size_t choice = random.below(6);
  if (choice == 0) return spoiled(std::string(lines.text), random) + number;
  const Result<KernelSpec> spec = parse(lines.text);
  const bool begins_anew = !spec || choice == 1;
  return print(changed(begins_anew ? any_beginning(random) : *spec, random)) + number;
}

// A third of the inputs should name a spec, every operation, target and policy be compiled, and
// every combination be run.
Reached reached() {
  constexpr std::uint64_t kEnough = 5000;
  Reached out{tally.print()};
  if (tally.inputs < kEnough) return out;
  if (3 * tally.specs < tally.inputs)
    out.falls_short = "fewer than a third of the inputs are specs";
  for (const std::string& word : tally.missing()) out.falls_short += " never compiled: " + word;
  for (const std::string& which : tally.combinations.missing())
    out.falls_short += " never run: " + which;
  return out;
}

}  // namespace

constinit const Fuzzer kSpecFuzzer = {"spec", finding, mutated, reached};

}  // namespace pto::jit::tests
