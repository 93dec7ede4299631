// Binding: values for the runtime dimensions of a spec. A dimension tied to another by a rule need
// be given once.
#pragma once

#include <cstdint>
#include <span>

#include "ir/operands.h"
#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit {

struct Binding {
  Dim dim;
  std::int64_t value;
};

// The spec with every '?' filled in. Unknown, contradictory, missing or impossible values are
// errors; whether the result keeps the rules is for verify_bound to say. Extents of a stage may
// stay unbound: each chunk then takes what is left, at most the padded size.
Result<KernelSpec> bind(const LegalSpec& legal, std::span<const Binding> bindings);

// Works out every runtime dimension that a rule ties to a known one.
void follow_ties(KernelSpec& bound, const Profile& profile);

}  // namespace pto::jit
