// Reads a module as the PTO assembler does, as far as our modules go: every value defined once,
// before use, used, and everywhere of the type it was defined with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::tests {

struct ModuleFacts {
  std::string problem;  // empty when the module is well-formed
  std::string arch;
  std::string name;
  std::vector<std::string> operations;          // besides views, tiles and numbers, in order
  std::map<std::string, std::string> policies;  // of the one that is no load or store
};

ModuleFacts read_module(std::string_view text);

}  // namespace pto::jit::tests
