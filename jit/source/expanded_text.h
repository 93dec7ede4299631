// Prints a kernel's body in the primitives of its device.
#pragma once

#include <string>

#include "jit/source/text_writer.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

// The function that the lanes of a launch run; empty when the body is not one.
std::string lanes_text(const SourcePlan& plan);

// What stands where the call would.
void write_expanded(TextWriter& out, const SourcePlan& plan);

}  // namespace pto::jit::source
