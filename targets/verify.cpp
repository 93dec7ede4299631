#include "targets/verify.h"

#include <atomic>
#include <utility>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

std::atomic<std::uint64_t> passes = 0;

const RuleRow* first_broken(const Subject& subject) {
  const RuleRow* found = nullptr;
  for_each_broken(subject, [&](const RuleRow& row) {
    found = &row;
    return false;
  });
  return found;
}

Diagnostic explain(const Subject& subject, const RuleRow& row) {
  Diagnostic out =
      error(full_id(subject.profile, subject.spec.op, *row.rule), row.rule->finding(subject));
  out.rule = row.reason;
  out.from = row.from;
  return out;
}

Diagnostics explain_all(const Subject& subject) {
  Diagnostics out;
  for_each_broken(subject, [&](const RuleRow& row) {
    out.push_back(explain(subject, row));
    return true;
  });
  return out;
}

}  // namespace

void for_each_broken(const Subject& subject, const std::function<bool(const RuleRow&)>& visit) {
  passes.fetch_add(1, std::memory_order_relaxed);
  for (const std::span<const RuleRow> rows : {common_rules(), subject.profile.rules}) {
    for (const RuleRow& row : rows) {
      if (!row.ops.contains(subject.spec.op)) continue;
      if (row.rule->holds(subject) == Truth::Broken && !visit(row)) return;
    }
  }
}

bool is_legal(const KernelSpec& spec) {
  if (!flaws_of(spec).empty()) return false;
  const KernelSpec clean = canonical(spec);
  return first_broken(subject_of(clean)) == nullptr;
}

std::uint64_t rule_passes() { return passes.load(std::memory_order_relaxed); }

const Profile& LegalSpec::profile() const { return profile_of(spec_.target); }

Result<LegalSpec> verify(const KernelSpec& spec) {
  Diagnostics found = flaws_of(spec);
  if (found.empty()) {
    const KernelSpec clean = canonical(spec);
    const Subject subject = subject_of(clean);
    if (first_broken(subject) == nullptr) return LegalSpec(clean);
    found = explain_all(subject);
  }
  const std::optional<KernelSpec> nearest = nearest_legal(spec);
  for (Diagnostic& diagnostic : found) {
    if (!nearest) break;
    diagnostic.suggestion = print(*nearest);
    diagnostic.gives_up = given_up(canonical(spec), *nearest);
  }
  return found;
}

Result<Done> verify_bound(const LegalSpec& legal, const KernelSpec& bound) {
  const Subject subject{bound, legal.spec(), legal.profile()};
  if (first_broken(subject) == nullptr) return Done{};
  return explain_all(subject);
}

}  // namespace pto::jit
