// The module of the PTO assembler: a legal spec as MLIR in the destination-passing form.
#pragma once

#include <string>

#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit {

// A whole module: views of global memory, tiles, loads, the operation with all its policies written
// out, stores. A spec the assembler cannot express yields every reason why.
Result<std::string> assembler_module(const LegalSpec& legal);

}  // namespace pto::jit
