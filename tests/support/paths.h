// Where this build and its sources are. Compiled into one file, so that no other depends on it.
#pragma once

#include <string>

namespace pto::jit::tests {

std::string source_root();
std::string build_root();
std::string tool_path();      // of ptojit
std::string compiler_path();  // of what built the tests

}  // namespace pto::jit::tests
