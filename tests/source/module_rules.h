// What the PTO assembler 0.60, and the library whose calls it makes, refuse in a module that is
// otherwise well-formed. Written from their public sources, without any help from what writes ours.
#pragma once

#include <string>

#include "tests/source/module_checker.h"

namespace pto::jit::tests {

// The layout the assembler infers from a view's numbers: "nd", "dn", "nz", "any" where nd and dn
// are the same, empty where not all of them are numbers.
std::string inferred_layout(const ViewFacts& view);

// The first rule that a module breaks; empty when it breaks none.
std::string broken_rule(const ModuleFacts& facts);

}  // namespace pto::jit::tests
