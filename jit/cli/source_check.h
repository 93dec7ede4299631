// Emitted text put to the test: compiled by the host's compiler, run in the emulation on made-up
// memory, and compared with what the interpreter leaves.
#pragma once

#include <string>
#include <vector>

#include "ir/result.h"
#include "targets/binding.h"
#include "targets/source_plan.h"

namespace pto::jit::cli {

// What was done, in sentences; an error when the text is refused, reported on, or wrong.
Result<std::string> check_source(const LegalSpec& legal, const SourcePlan& plan,
                                 const std::vector<Binding>& bindings);

}  // namespace pto::jit::cli
