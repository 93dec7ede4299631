// How far the inputs of a fuzzer got, and which words of the specs' language were compiled.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/spec.h"
#include "tests/fuzz/combinations.h"

namespace pto::jit::tests {

struct Tally {
  std::uint64_t inputs = 0;
  std::uint64_t specs = 0;     // inputs that name one
  std::uint64_t legal = 0;     // of the specs
  std::uint64_t compiled = 0;  // of the legal ones
  std::uint64_t run = 0;       // of the compiled ones; the others need too much memory
  std::map<std::string, std::uint64_t> words;  // of the compiled ones
  Combinations combinations;                   // of those that were run

  void add_compiled(const KernelSpec& spec);

  // Operations, by target, and policies of which nothing was compiled.
  std::vector<std::string> missing() const;
  std::string print() const;
};

// The words of a spec that a tally counts: "mscatter for a5", "clamp", "bf16".
std::vector<std::string> words_of(const KernelSpec& spec);

// All of them that some target takes.
std::vector<std::string> all_words();

}  // namespace pto::jit::tests
