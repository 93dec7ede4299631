// What a mutant is run on: many extents, indices and values, each with what the original does. That
// may be a fault: an audit also reports indices that the kernel then follows out of its operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/frame.h"
#include "tests/xbyak/mutant_sample.h"
#include "tests/xbyak/sandbox.h"

namespace pto::jit::tests {

// A stretch of memory as a kernel finds it, and as the original leaves it.
struct Piece {
  std::byte* at = nullptr;
  std::vector<std::byte> before;
  std::vector<std::byte> after;
};

struct Case {
  const Frame* frame = nullptr;
  std::vector<Piece> pieces;  // every operand, the frame and the report
  Piece scratch;              // what is left there does not matter
  Aftermath aftermath;        // of the original
};

// Memory is laid out in the sandbox, not yet filled.
std::vector<Case> make_cases(Sandbox& sandbox, const Sample& sample, std::uint32_t seed);

// Calls what the sandbox holds on fresh memory.
Aftermath run(Sandbox& sandbox, const Case& on);

// Notes what that call left.
void remember(Case& on, const Aftermath& aftermath);

bool left_the_same_memory(const Case& on);

}  // namespace pto::jit::tests
