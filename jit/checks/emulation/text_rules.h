// What a device's compiler refuses and a host's cannot, because it knows no address spaces: found
// in the text itself.
#pragma once

#include <string_view>

#include "ir/result.h"

namespace pto::jit {

// The first line that breaks a rule, and how to write it instead.
Result<Done> check_text(std::string_view text);

}  // namespace pto::jit
