// Reads a module as the PTO assembler does, as far as our modules go: every value defined once,
// before use, used, and everywhere of the type it was defined with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::tests {

// Extents and strides of a view by the names of their values.
struct ViewFacts {
  std::vector<std::string> shape;
  std::vector<std::string> strides;
};

struct ModuleFacts {
  std::string problem;  // empty when the module is well-formed
  std::string arch;
  std::string name;
  std::vector<std::string> operations;          // besides views, tiles and numbers, in order
  std::map<std::string, std::string> policies;  // of the one that is no load or store
  std::map<std::string, ViewFacts> views;       // by the name of their pointer
  std::map<std::string, std::vector<std::string>> products;  // factors of computed values
};

ModuleFacts read_module(std::string_view text);

}  // namespace pto::jit::tests
