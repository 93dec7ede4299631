// The fuzzers: each takes any bytes and says what is wrong with what the project made of them.
// libFuzzer calls them through driver.cpp; a test calls them with all that is kept in the corpora.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/support/deck.h"

namespace pto::jit::tests {

// What the inputs of a fuzzer reached so far.
struct Reached {
  std::string text;
  std::string falls_short = {};  // of what they should reach; empty: of nothing, or too few so far
};

struct Fuzzer {
  std::string_view name;                                           // of its corpus too
  std::string (*finding)(std::string_view input);                  // empty: nothing is wrong
  std::string (*mutated)(std::string_view input, Random& random);  // towards what gets far
  Reached (*reached)();
};

std::span<const Fuzzer> all_fuzzers();
const Fuzzer* fuzzer_named(std::string_view name);

// Spec texts, and in a second line the number that picks values and strategy: read, judged, planned
// and run.
extern const Fuzzer kSpecFuzzer;
// A KernelSpec member by member, enumerators that do not exist included.
extern const Fuzzer kMembersFuzzer;
// Files of NumPy arrays.
extern const Fuzzer kNpyFuzzer;
// Entries of the disk cache, and the object files that debuggers are shown.
extern const Fuzzer kObjectFuzzer;
// Calls of the C interface, each with one thing changed that a caller may get wrong.
extern const Fuzzer kCFuzzer;

}  // namespace pto::jit::tests
