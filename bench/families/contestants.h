// Who takes part in a cell's contest: the kernel, the same in static C++ and as a dispatched loop,
// a limit, a sibling.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "bench/families/memory.h"
#include "bench/ratio.h"

namespace pto::jit::bench {

enum class Part : std::uint8_t { Kernel, Static, Dispatched, Limit, Sibling, General };

// As tables have it.
constexpr std::string_view letter_of(Part part) {
  constexpr std::array<std::string_view, 6> kLetters = {"", "S", "R", "L", "K", "G"};
  return kLetters[static_cast<std::size_t>(part)];
}

struct CellContestant {
  Part part;
  bool does_the_same;  // leaves the memory the kernel leaves
  Contestant contestant;
};

// The kernel first. All of them work on `memory`.
Result<std::vector<CellContestant>> make_contestants(const Cell& cell, CellMemory& memory);

}  // namespace pto::jit::bench
