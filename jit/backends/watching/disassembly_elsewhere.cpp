// Generated code as text on processors other than x86-64, where all of it is LLVM's: so is what
// reads it.
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/watching/code_lines.h"
#include "jit/backends/watching/disassembly.h"

namespace pto::jit {

std::size_t end_of_instructions(std::span<const std::byte> code) { return code.size(); }

// Asked for beside the verbs that wrote them, which write code for x86-64.
std::vector<CodeLine> code_lines(std::span<const std::byte>) { return {}; }

std::string disassemble(std::span<const std::byte> code) {
#if defined(PTOJIT_HAS_LLVM)
  return llvm_backend::disassemble(code, llvm_backend::host_target(host_features()));
#else
  return code.empty() ? "" : "not shown: this build has no LLVM to read it\n";
#endif
}

}  // namespace pto::jit
