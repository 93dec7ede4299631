// Spec texts spoiled in a few places: some still name a spec, most nearly do.
#pragma once

#include <string>

#include "tests/support/deck.h"

namespace pto::jit::tests {

// Mostly what the grammar is made of, so that many spoiled texts get far.
char any_byte(Random& random);

std::string spoiled(std::string text, Random& random);

}  // namespace pto::jit::tests
