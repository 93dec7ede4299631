// Reads a module as the PTO assembler does, as far as our modules go: every value defined once,
// before use, used, everywhere of the type it was defined with, and by the rules the assembler and
// the library it calls keep (module_rules.h).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/source/module_tokens.h"

namespace pto::jit::tests {

// Extents and strides of a view by the names of their values.
struct ViewFacts {
  std::vector<std::string> shape;
  std::vector<std::string> strides;
  std::vector<std::string> sizes = {};  // of the partition
  std::string layout = {};              // "nd"
  std::string dtype = {};
};

// An operation that is no definition.
struct StepFacts {
  std::string name;
  std::vector<std::string> ins = {};  // types
  std::vector<std::string> outs = {};
  std::vector<std::string> valid = {};  // extents of the written tile then, by name
};

struct ModuleFacts {
  std::string problem;  // empty when the assembler takes the module
  std::string arch;
  std::string name;
  std::string guard;               // everything is done only if this is not zero; empty: always
  std::vector<std::string> tiles;  // types
  std::vector<StepFacts> steps;    // besides views, tiles and numbers, in order
  std::map<std::string, std::string> policies;                // of the one that is no load or store
  std::map<std::string, ViewFacts> views;                     // by the name of their pointer
  std::map<std::string, std::vector<std::string>> products;   // factors of computed values
  std::map<std::string, std::vector<std::string>> quotients;  // rounded up: dividend, divisor
};

ModuleFacts read_module(std::string_view text);

}  // namespace pto::jit::tests
