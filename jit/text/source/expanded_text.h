// Prints a kernel's body in the primitives of its device.
#pragma once

#include <string>

#include "jit/text/source/text_writer.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

// The functions that the body calls: what the lanes of a launch run, or a sum.
std::string helpers_text(const SourcePlan& plan);

// What stands where the call would.
void write_expanded(TextWriter& out, const SourcePlan& plan);

// How many warps of 32 lanes a kernel written out for lanes launches.
std::int64_t warps_of(const SourcePlan& plan);

}  // namespace pto::jit::source
