// What --bind says: "src.vr=3,src.vc=8".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "ir/spec.h"
#include "targets/binding.h"

namespace pto::jit::cli {

// The values a text gives; an empty text gives none. Errors point into `text`. Whether the values
// go together is for bind to say.
Result<std::vector<Binding>> parse_bindings(const KernelSpec& spec, std::string_view text);

}  // namespace pto::jit::cli
