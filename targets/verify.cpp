#include "targets/verify.h"

#include <atomic>
#include <deque>
#include <utility>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

std::atomic<std::uint64_t> passes = 0;

// Calls `visit` with each row whose rule the subject breaks, until it returns false.
template <class Visit>
void for_each_broken(const Subject& subject, Visit&& visit) {
  passes.fetch_add(1, std::memory_order_relaxed);
  for (const std::span<const RuleRow> rows : {common_rules(), subject.profile.rules}) {
    for (const RuleRow& row : rows) {
      if (!row.ops.contains(subject.spec.op)) continue;
      if (row.rule->holds(subject) == Truth::Broken && !visit(row)) return;
    }
  }
}

const RuleRow* first_broken(const Subject& subject) {
  const RuleRow* found = nullptr;
  for_each_broken(subject, [&](const RuleRow& row) {
    found = &row;
    return false;
  });
  return found;
}

Subject subject_of(const KernelSpec& spec) { return {spec, spec, profile_of(spec.target)}; }

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

// Breadth first over the remedies of the first broken rule that leads to a spec not seen yet: the
// fewest changes win, and among equals the nearer remedy.
class Search {
 public:
  std::optional<KernelSpec> from(const KernelSpec& spec) {
    seen_.push_back(spec);
    for (std::size_t at = 0; at < seen_.size() && seen_.size() < kMostSpecs; ++at) {
      const KernelSpec current = seen_[at];
      bool is_good = true;
      for_each_broken(subject_of(current), [&](const RuleRow& row) {
        is_good = false;
        return !follow(current, *row.rule);
      });
      if (is_good) return current;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kMostSpecs = 2000;

  // Whether any remedy led somewhere new.
  bool follow(const KernelSpec& current, const Rule& rule) {
    const std::size_t before = seen_.size();
    for (const Remedy remedy : rule.remedies) {
      KernelSpec changed = current;
      if (remedy != nullptr && remedy(changed, profile_of(current.target)))
        remember(canonical(changed));
    }
    return seen_.size() > before;
  }

  void remember(const KernelSpec& spec) {
    for (const KernelSpec& old : seen_) {
      if (old == spec) return;
    }
    seen_.push_back(spec);
  }

  std::deque<KernelSpec> seen_;
};

}  // namespace

bool is_legal(const KernelSpec& spec) {
  if (!flaws_of(spec).empty()) return false;
  const KernelSpec clean = canonical(spec);
  return first_broken(subject_of(clean)) == nullptr;
}

std::uint64_t rule_passes() { return passes.load(std::memory_order_relaxed); }

std::optional<KernelSpec> nearest_legal(const KernelSpec& spec) {
  const KernelSpec clean = canonical(spec);
  if (!flaws_of(clean).empty()) return std::nullopt;
  return Search().from(clean);
}

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
    if (nearest) diagnostic.suggestion = print(*nearest);
  }
  return found;
}

Result<Done> verify_bound(const LegalSpec& legal, const KernelSpec& bound) {
  const Subject subject{bound, legal.spec(), legal.profile()};
  if (first_broken(subject) == nullptr) return Done{};
  return explain_all(subject);
}

}  // namespace pto::jit
