// Prints a source plan: the kernel around one call, and how the host launches it.
#pragma once

#include <string>

#include "targets/source_plan.h"

namespace pto::jit::source {

std::string kernel_text(const SourcePlan& plan);

// Needs the kernel's text before it.
std::string launch_text(const SourcePlan& plan);

}  // namespace pto::jit::source
