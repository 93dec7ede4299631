// Host code put to the test: called on made-up memory, and compared with what the interpreter
// leaves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/result.h"
#include "targets/binding.h"

namespace pto::jit::cli {

using HostCode = std::function<void(const Frame&)>;

// What was done, in a sentence; an error when results differ.
Result<std::string> check_host(const LegalSpec& legal, const HostCode& code,
                               const std::vector<Binding>& bindings);

}  // namespace pto::jit::cli
