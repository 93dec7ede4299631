// The words of a kernel's text: its name, what it does in one sentence, its call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/diagnostic.h"
#include "targets/source_parts.h"
#include "targets/verify.h"

namespace pto::jit {

// "mscatter_row_clamp_f32"
std::string kernel_name(const KernelSpec& spec);

// Why a kernel cannot have a name its user gives it: C++ has it, or the device's library.
std::optional<Diagnostic> refuse_kernel_name(std::string_view name);

// "A5: scatters rows of src into table; indices beyond it go to its last row."
std::string kernel_summary(const LegalSpec& legal);

// The instruction with its template arguments and operands, by the names the text gives them.
Call call_of(const KernelSpec& spec, const Dialect& dialect);

}  // namespace pto::jit
