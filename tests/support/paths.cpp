#include "tests/support/paths.h"

namespace pto::jit::tests {

std::string source_root() { return PTOJIT_SOURCE_DIR; }
std::string build_root() { return PTOJIT_BINARY_DIR; }
std::string tool_path() { return PTOJIT_TOOL_PATH; }
std::string compiler_path() { return PTOJIT_CXX; }

}  // namespace pto::jit::tests
