// bind: values for the runtime dimensions of a legal spec, and the proof that they break no rule. A
// dimension tied to another by a rule need be given once.
#pragma once

#include <cstdint>
#include <span>

#include "ir/operands.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit {

struct Binding {
  Dim dim;
  std::int64_t value;
};

// A legal spec whose runtime dimensions have values that break no rule either, and what it means.
// Only bind can make one.
class BoundSpec {
 public:
  const LegalSpec& legal() const { return legal_; }
  const KernelSpec& spec() const { return spec_; }  // every '?' filled in
  const KernelPlan& plan() const { return plan_; }  // of the legal spec: one for all values

 private:
  friend Result<BoundSpec> bind(const LegalSpec& legal, std::span<const Binding> values);
  BoundSpec(const LegalSpec& legal, const KernelSpec& spec);

  LegalSpec legal_;
  KernelSpec spec_;
  KernelPlan plan_;
};

// Unknown, contradictory, missing or impossible values are errors "bind.*", values that break a
// rule are that rule's. Extents of a stage may stay unbound: each chunk then takes what is left, at
// most the padded size.
Result<BoundSpec> bind(const LegalSpec& legal, std::span<const Binding> values);

// Works out every runtime dimension that a rule ties to a known one.
void follow_ties(KernelSpec& bound, const Profile& profile);

}  // namespace pto::jit
