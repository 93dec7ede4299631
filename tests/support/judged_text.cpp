#include "tests/support/judged_text.h"

#include <algorithm>

#include "ir/spec_text.h"
#include "targets/verify.h"

namespace pto::jit::tests {
namespace {

bool points_into(std::string_view text, const Span& at) {
  return at.begin <= text.size() && at.length >= 1 && at.begin + at.length <= text.size() + 1;
}

bool is_printable(std::string_view shown) {
  return std::ranges::all_of(shown, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

std::string complaint_about_refusal(std::string_view text, const Diagnostics& problems) {
  if (problems.size() != 1) return std::to_string(problems.size()) + " diagnostics, not one";
  const Diagnostic& problem = problems[0];
  if (problem.id.empty() || problem.message.empty()) return "a diagnostic without id or message";
  if (!problem.at || !points_into(text, *problem.at)) return "it points nowhere in the text";
  const std::string shown = render(problem, text);
  if (shown.find('^') == std::string::npos) return "no caret: " + shown;
  return is_printable(shown) ? "" : "it shows bytes that are no text";
}

std::string complaint_about_spec(const KernelSpec& spec) {
  const std::string printed = print(spec);
  const Result<KernelSpec> again = parse(printed);
  if (!again || !(*again == spec)) return "it does not read back: " + printed;
  const Result<LegalSpec> legal = verify(spec);
  return legal ? "" : complaint_about_verdict(legal.error());
}

}  // namespace

std::string complaint_about_verdict(const Diagnostics& problems) {
  if (problems.empty()) return "refused without a diagnostic";
  for (const Diagnostic& problem : problems) {
    if (problem.id.empty() || problem.message.empty()) return "a diagnostic without id or message";
    if (problem.rule.empty() || problem.from.empty()) return problem.id + " has no rule or source";
    const Result<KernelSpec> remedy = parse(problem.suggestion);
    if (!remedy || !is_legal(*remedy))
      return problem.id + " suggests what is not legal: " + problem.suggestion;
  }
  return "";
}

std::string complaint_about_text(std::string_view text) {
  const Result<KernelSpec> spec = parse(text);
  const std::string complaint =
      spec ? complaint_about_spec(*spec) : complaint_about_refusal(text, spec.error());
  return complaint.empty() ? "" : "'" + printable(text, 4096) + "': " + complaint;
}

}  // namespace pto::jit::tests
