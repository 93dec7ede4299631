#include "targets/binding.h"

#include <limits>

#include "targets/planner.h"
#include "targets/ties.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

std::optional<Diagnostic> out_of_range(const KernelSpec& spec, const Binding& binding) {
  const std::int64_t least = is_stride(binding.dim) ? 1 : 0;
  const std::int64_t most =
      is_stride(binding.dim) ? kMaxStride : std::numeric_limits<std::int32_t>::max();
  if (binding.value >= least && binding.value <= most) return std::nullopt;
  return error("bind.range", dim_name(spec.op, binding.dim) + " cannot be " +
                                 std::to_string(binding.value) + "; it runs from " + str(least) +
                                 " to " + std::to_string(most));
}

std::optional<Diagnostic> take(KernelSpec& bound, const Binding& binding) {
  const std::string name = dim_name(bound.op, binding.dim);
  if (name.empty()) return error("bind.name", str(name_of(bound.op)) + " has no such dimension");
  if (auto problem = out_of_range(bound, binding)) return problem;
  const std::int64_t before = get(bound, binding.dim);
  const bool is_given_stride = is_stride(binding.dim) && before == 0;
  if (is_given_stride) return error("bind.packed", name + " cannot be bound: the table is packed");
  if (before != kRuntime && before != binding.value) {
    return error("bind.contradiction",
                 name + " is " + str(before) + ", not " + std::to_string(binding.value));
  }
  set(bound, binding.dim, binding.value);
  return std::nullopt;
}

// One unknown side of a tie worked out from the other.
bool fill(KernelSpec& bound, const Tie& tie) {
  const Quantity left = quantity(bound, tie.left);
  const Quantity right = tie.right ? quantity(bound, *tie.right) : Quantity(1);
  if (left.known == right.known) return false;
  const std::int64_t known =
      left.known ? left.value * tie.left_factor : right.value * tie.right_factor;
  const std::int64_t divisor = left.known ? tie.right_factor : tie.left_factor;
  if (known % divisor != 0) return false;
  set(bound, left.known ? *tie.right : tie.left, known / divisor);
  return true;
}

void settle_stage(KernelSpec& bound) {
  if (has_memory(bound.op, Role::Data)) return;
  if (bound.data.vr == kRuntime) bound.data.vr = bound.data.rows;
  if (bound.data.vc == kRuntime) bound.data.vc = bound.data.cols;
}

}  // namespace

void follow_ties(KernelSpec& bound, const Profile& profile) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Tie& tie : ties_of(bound, profile)) changed |= fill(bound, tie);
  }
}

BoundSpec::BoundSpec(const LegalSpec& legal, const KernelSpec& spec)
    : legal_(legal), spec_(spec), plan_(make_plan(legal)) {}

Result<BoundSpec> bind(const LegalSpec& legal, std::span<const Binding> values) {
  KernelSpec bound = legal.spec();
  for (const Binding& binding : values) {
    if (auto problem = take(bound, binding)) return *problem;
  }
  follow_ties(bound, legal.profile());
  settle_stage(bound);
  const std::string missing = runtime_names(bound);
  if (!missing.empty()) return error("bind.missing", "no value for " + missing);
  const bool is_new = bound != legal.spec();
  if (Result<Done> kept = is_new ? verify_bound(legal, bound) : Done{}; !kept) return kept.error();
  return BoundSpec(legal, bound);
}

}  // namespace pto::jit
