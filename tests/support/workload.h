// Workloads: a bound kernel with made-up memory, run by the model, the interpreter or generated
// code, and the comparison of what they leave behind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"
#include "runtime/operands.h"
#include "targets/verify.h"
#include "tests/support/guarded.h"

namespace pto::jit::tests {

enum class Pattern : std::uint8_t {
  Sequential,
  Reversed,
  Random,
  Equal,
  OneBeyond,  // every second index is the capacity
  Extreme,    // UINT32_MAX, capacity, 2*capacity + 3 among good ones
  Lanes,      // one or two of sixteen in range, or out of it: the seed says which come first
};
inline constexpr std::array kPatterns = {Pattern::Sequential, Pattern::Reversed,  Pattern::Random,
                                         Pattern::Equal,      Pattern::OneBeyond, Pattern::Extreme,
                                         Pattern::Lanes};

// How many ways there are to single out a lane of sixteen or a pair of them, in range or out of it.
// A seed below that begins with its own; so many more, and sixteen in range come before it.
// The first of them single out one lane.
inline constexpr std::uint32_t kLaneWays = 2 * (16 + 16 * 15 / 2);
inline constexpr std::uint32_t kSingleLaneWays = 2 * 16;

std::string_view name_of(Pattern pattern);

// Everything in memory, operand by operand; ranks last.
struct Image {
  std::vector<std::byte> data;
  std::vector<std::byte> index;
  std::vector<std::byte> store;
  std::vector<std::byte> table;
  std::vector<std::vector<std::byte>> ranks;
  AuditReport report;

  std::vector<std::byte>& of(const MemoryOperand& operand);
  const std::vector<std::byte>& of(const MemoryOperand& operand) const;
  bool operator==(const Image&) const = default;
};

struct Workload {
  KernelSpec declared;
  KernelSpec bound;
  KernelPlan plan;
  Image memory;
  std::string replay;  // the command that runs the case again
};

// The kernel of `legal` with `bound` extents; nothing when the pattern does not apply, because its
// indices leave the operand and no policy says what then happens.
std::optional<Workload> make_workload(const LegalSpec& legal, const KernelSpec& bound,
                                      Pattern pattern, std::uint32_t seed);

// Bindings worth trying: full, one, a prime, zero and mixed extents, packed and padded strides.
// A static spec has one.
std::vector<KernelSpec> bindings_for(const LegalSpec& legal);

// The workload's memory as operands of a call, and what they hold now.
OperandStore operands_of(const Workload& workload);
Image image_of(const Workload& workload, const OperandStore& operands);

// Runs `kernel` on a copy of the workload's memory beside inaccessible pages: of each operand what
// a kernel may touch is there, and no byte more.
Image run_guarded(const Workload& workload, Guard guard,
                  const std::function<void(const Frame&)>& kernel);

Image run_model(const Workload& workload);

// Empty when both left the same memory and report; NaN results of an add count as equal.
std::string difference(const Workload& workload, const Image& expected, const Image& actual);

}  // namespace pto::jit::tests
