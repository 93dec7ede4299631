// Whether a text was taken as every text must be: as a spec that prints, reads back and has a
// verdict, or refused with one diagnostic that points at what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "ir/result.h"
#include "ir/spec.h"

namespace pto::jit::tests {

// What is wrong with the answer to a text; empty: nothing.
std::string complaint_about_text(std::string_view text);

// What is wrong with a verdict's diagnostics; empty: nothing.
std::string complaint_about_verdict(const Diagnostics& problems);

}  // namespace pto::jit::tests
