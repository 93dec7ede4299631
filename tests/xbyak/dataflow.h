// What instructions do to registers, flags and stack slots, followed through a whole kernel: which
// results nothing reads, and which are there already.
#pragma once

#include <bitset>
#include <cstddef>
#include <vector>

#include "tests/machine_code/decoded.h"

namespace pto::jit::tests {

// Sixteen general registers, 32 vectors, the flags by their bit, eight masks, eight-byte stack
// slots.
inline constexpr std::size_t kStackSlots = 512;
inline constexpr std::size_t kLocations = 16 + 32 + 16 + 8 + kStackSlots;
using Locations = std::bitset<kLocations>;

struct Effect {
  Locations reads;
  Locations writes;      // in part or in full
  Locations overwrites;  // in full, on every path
  bool is_pure = true;   // does nothing besides
  bool reads_memory = false;
};

Effect effect_of(const Instruction& instruction);

class Dataflow {
 public:
  explicit Dataflow(const std::vector<Instruction>& code);

  // Whether nothing that matters ever reads what this instruction writes.
  bool is_dead(std::size_t at) const { return dead_[at]; }

  // Whether, wherever control comes from, what it writes is there already.
  bool is_repeated(std::size_t at) const { return repeated_[at]; }

 private:
  void follow(const std::vector<Instruction>& code);
  void find_dead();
  void find_repeated(const std::vector<Instruction>& code);

  std::vector<Effect> effects_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<bool> dead_;
  std::vector<bool> repeated_;
};

}  // namespace pto::jit::tests
