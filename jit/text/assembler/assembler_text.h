// The module of the PTO assembler: a legal spec as MLIR in the destination-passing form.
#pragma once

#include <string>

#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit {

struct AssemblerModule {
  std::string name;  // of the kernel
  std::string text;
  std::string assemble;  // the command that makes a kernel of it
  std::string launch;    // of that kernel
};

// A whole module: views of global memory, tiles, loads, the operation with all its policies written
// out, stores, and what makes writes visible. A spec the assembler cannot express yields every
// reason why. Without a name the kernel has one of its own.
Result<AssemblerModule> assembler_module(const LegalSpec& legal, const std::string& name = {});

}  // namespace pto::jit
