#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "tests/fuzz/changed_spec.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/kernel_check.h"
#include "tests/fuzz/members.h"

namespace pto::jit::tests {
namespace {

Tally tally;

std::string complaint_about_refusal(const KernelSpec& spec, const Diagnostics& problems) {
  if (problems.empty()) return "refused without a diagnostic";
  for (const Diagnostic& problem : problems) {
    if (problem.id.empty() || problem.message.empty()) return "a diagnostic without id or message";
    if (problem.suggestion.empty()) continue;
    const Result<KernelSpec> remedy = parse(problem.suggestion);
    if (!remedy || !is_legal(*remedy))
      return "it suggests what is not legal: " + problem.suggestion;
  }
  return compile(spec) ? "compiled, though it is refused" : "";
}

// A legal spec is canonical, so it has a text that names it again.
std::string complaint_about_proof(const LegalSpec& legal) {
  const Result<KernelSpec> again = parse(print(legal.spec()));
  const bool is_named = again && *again == legal.spec() && canonical(*again) == *again;
  return is_named ? "" : "legal, but not the spec of its text: " + print(legal.spec());
}

std::string finding(std::string_view input) {
  const Members members = members_in(input);
  ++tally.inputs, ++tally.specs;
  const Result<LegalSpec> legal = verify(members.spec);
  if (is_legal(members.spec) != legal.has_value()) return "is_legal and verify disagree";
  if (!legal) return complaint_about_refusal(members.spec, legal.error());
  ++tally.legal;
  const std::string complaint = complaint_about_proof(*legal);
  if (!complaint.empty()) return complaint;
  return complaint_about_kernel(*legal, members.number, tally);
}

// Half of them are members changed to others that exist.
std::string mutated(std::string_view input, Random& random) {
  Members members = members_in(input);
  const bool begins_anew = !is_legal(members.spec) || random.below(8) == 0;
  members.spec = changed(begins_anew ? any_beginning(random) : members.spec, random);
  members.number = random.next();
  std::string out = bytes_of(members);
  if (random.below(2) == 0) out[random.below(out.size())] = static_cast<char>(random.below(256));
  return out;
}

Reached reached() { return {tally.print()}; }

}  // namespace

constinit const Fuzzer kMembersFuzzer = {"members", finding, mutated, reached};

}  // namespace pto::jit::tests
