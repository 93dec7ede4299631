// What the number in an input picks besides the spec: who makes the code and how, in how many parts
// it is done, with which values for runtime dimensions and on which indices.
#pragma once

#include <cstdint>

#include "jit/backends/backend.h"
#include "tests/support/deck.h"

namespace pto::jit::tests {

// How many indices are out of range.
enum class Outside : std::uint8_t { None, Some, All };

struct Draws {
  Backend backend = Backend::Xbyak;
  FeatureLevel level = FeatureLevel::Native;
  StrategyWish wish = {};
  int parts = 0;          // 0: as a whole
  bool is_bound = false;  // code for one binding
  Outside outside = Outside::None;
  Random random;  // for whatever else there is to pick
};

// A quarter is for LLVM where it is there, for it compiles in milliseconds.
Draws draws_of(std::uint64_t number);

}  // namespace pto::jit::tests
