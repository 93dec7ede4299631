// Where the numbers in registers and stack slots come from, as far as code can be followed without
// running it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/plan.h"

namespace pto::jit::tests {

// What a number may count from: a sum of two pointers counts from both. A set of them, one bit for
// each combination, for paths may meet that leave different ones.
namespace origin {
inline constexpr unsigned kWritten = 1;  // an operand that is written, the report or scratch memory
inline constexpr unsigned kRead = 2;     // an operand that is not
inline constexpr unsigned kStack = 4;
inline constexpr unsigned kFrame = 8;
inline constexpr unsigned kRanks = 16;  // the list of the ranks' pointers
}  // namespace origin

struct Known {
  std::uint32_t origins = 1;  // a plain number
  std::int64_t offset = 0;    // from where `is_exact` says so: the frame, or the stack as called
  bool is_exact = false;

  bool operator==(const Known&) const = default;
  // Whether it counts from one of `wanted` wherever it comes from.
  bool always_has(unsigned wanted) const;
  bool is_exactly(unsigned from) const { return is_exact && origins == 1u << from; }
};

Known from(unsigned one, std::int64_t offset = 0);
Known inexact(Known known);
Known moved(Known known, std::int64_t bytes);
Known sum(const Known& a, const Known& b);
Known either(const Known& a, const Known& b);

// The pointer in a field of the frame of `plan`'s kernels.
Known frame_field(const KernelPlan& plan, std::int64_t offset);

inline constexpr std::size_t kStackPointer = 4;
inline constexpr std::size_t kFirstArgument = 7;

// What is known before an instruction.
struct CodeState {
  std::array<Known, 16> registers = {};
  std::vector<std::pair<std::int64_t, Known>> slots = {};  // of eight bytes, by offset
  std::int64_t room_end = 0;  // behind what the prologue reserved last, as an offset
  bool is_unfenced = false;   // a store around the caches has come since the last fence

  Known slot(std::int64_t offset) const;
  void forget_slots(std::int64_t begin, std::int64_t end);
  void keep_slot(std::int64_t offset, const Known& known);
  // Leaves what both agree on; whether that is less than before.
  bool join(const CodeState& other);
};

CodeState state_at_entry();

}  // namespace pto::jit::tests
