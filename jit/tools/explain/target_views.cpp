// One operation on every target: who takes it, where they differ, and by which decision.
#include <algorithm>
#include <map>
#include <set>

#include "ir/mnemonic.h"
#include "jit/checks/compare/compare.h"
#include "jit/tools/explain/views.h"
#include "targets/chunking.h"
#include "targets/planner.h"
#include "targets/profile.h"
#include "targets/rules.h"
#include "targets/source_planner.h"

namespace pto::jit::cli {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{8} << 20;  // of operands that are compared

std::vector<PlanStep> rows_of(const LegalSpec& legal) {
  std::vector<PlanStep> out = steps_of(make_plan(legal), legal.spec().op);
  const Profile& profile = legal.profile();
  const std::int64_t budget = profile.budget.tile_bytes;
  out.push_back({"local memory", budget > 0 ? count_text(budget, "byte") : "no limit"});
  const std::optional<Chunking> chunks = chunking_of(legal.spec(), profile);
  const bool is_cut = chunks && chunks->axis != ChunkAxis::Whole;
  out.push_back({"parts", is_cut ? describe(*chunks) : "in one call"});
  const PlannedForm form = planned_form(on_device(legal), false);
  std::string waits;
  for (const WaitView& wait : form.view.waits) waits += (waits.empty() ? "" : ", ") + wait.what;
  out.push_back(
      {"waits", form.view.absent.empty() ? (waits.empty() ? "none" : waits) : form.view.absent});
  return out;
}

std::vector<std::string> differing_labels(const std::vector<TargetView>& targets) {
  std::vector<std::string> order;
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> counts;
  std::size_t legal = 0;
  for (const TargetView& target : targets) {
    legal += target.is_legal ? 1 : 0;
    for (const PlanStep& row : target.rows) {
      const std::string label(row.label);
      if (counts[label]++ == 0) order.push_back(label);
      values[label].insert(row.text);
    }
  }
  std::erase_if(order, [&](const std::string& label) {
    return values[label].size() == 1 && counts[label] == legal;
  });
  return order;
}

std::vector<Binding> values_of(const BoundSpec& bound) {
  std::vector<Binding> out;
  for (const Dim dim : runtime_dims(bound.legal().spec())) {
    const std::int64_t value = get(bound.spec(), dim);
    if (value != kRuntime) out.push_back({dim, value});
  }
  return out;
}

void add_reasons(const Comparison& made, TargetsView& out) {
  for (const Difference& found : made.differences) {
    for (const Reason& reason : found.reasons)
      out.reasons.push_back({reason.id, found.second + ": " + reason.what, true});
  }
  for (const Reason& reason : made.unseen) out.reasons.push_back({reason.id, reason.what, false});
}

bool has(const std::vector<std::string>& labels, std::string_view label) {
  return std::ranges::find(labels, label) != labels.end();
}

// What the plan does not say: whose memory is how large, and whose waits are which.
void add_device_reasons(Op op, TargetsView& out) {
  const bool has_other_memory = has(out.differing, "local memory") || has(out.differing, "parts");
  for (const Profile* profile : all_profiles()) {
    for (const RuleRow& row : profile->rules) {
      if (has_other_memory && row.rule == &kBudgetRule && row.ops.contains(op))
        out.reasons.push_back(
            {std::string(name_of(profile->target)) + "." + std::string(row.rule->id),
             std::string(row.reason) + "; from " + std::string(row.from)});
    }
  }
  if (has(out.differing, "waits"))
    out.reasons.push_back({"0037", "each has the waits that its own documents show"});
}

}  // namespace

TargetsView targets_view(const BoundSpec& bound, std::int64_t bytes) {
  TargetsView out;
  const KernelSpec& spec = bound.legal().spec();
  CompareRequest request{spec, {}, {}, values_of(bound)};
  for (const Profile* profile : all_profiles()) {
    const Result<LegalSpec> legal = on_target(spec, profile->target);
    request.targets.push_back(profile->target);
    out.targets.push_back({.name = std::string(name_of(profile->target)),
                           .is_own = profile->target == spec.target,
                           .is_legal = legal.has_value(),
                           .said = legal ? notes_on(*legal) : legal.error(),
                           .rows = legal ? rows_of(*legal) : std::vector<PlanStep>()});
  }
  out.differing = differing_labels(out.targets);
  add_device_reasons(spec.op, out);
  if (std::ranges::count_if(out.targets, &TargetView::is_legal) < 2) {
    out.absent = "only one target takes it";
  } else if (bytes > kMostBytes) {
    out.absent = "the operands are too large to be compared here: ptojit diff does it";
  } else if (const Result<Comparison> made = compare(request); made) {
    add_reasons(*made, out);
  } else {
    out.absent = made.error().front().message;
  }
  return out;
}

}  // namespace pto::jit::cli
