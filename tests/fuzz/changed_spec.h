// Specs with a few members changed to others of their kind, and often led back to a legal one: what
// a fuzzer needs to get behind the rules.
#pragma once

#include "ir/spec.h"
#include "tests/support/deck.h"

namespace pto::jit::tests {

// An operation on a target with small operands; legal.
KernelSpec any_beginning(Random& random);

// `spec` names an operation and operands that exist.
KernelSpec changed(KernelSpec spec, Random& random);

}  // namespace pto::jit::tests
