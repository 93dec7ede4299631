// Prints a source plan: the kernel around one call, and how the host launches it.
#pragma once

#include <optional>
#include <string>

#include "ir/diagnostic.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

std::string kernel_text(const SourcePlan& plan);

// What the kernel is called with: "void NAME(__gm__ float* src, ...)".
std::string signature_text(const SourcePlan& plan);

// Needs the kernel's text before it.
std::string launch_text(const SourcePlan& plan);

// Why the text cannot go by the name its plan has from a user: it uses the word for something else.
std::optional<Diagnostic> refuse_name(const SourcePlan& plan);

}  // namespace pto::jit::source
