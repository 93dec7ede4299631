// Values and memory made up for one run of a kernel, where a user has given none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "targets/binding.h"

namespace pto::jit::cli {

// The spec with every '?' filled in: by what is given, by ties, and else by a middling value.
Result<KernelSpec> made_up_binding(const LegalSpec& legal, std::vector<Binding> given);

enum class IndexPattern : std::uint8_t {
  Sequential,
  Random,
  Beyond,  // half of them past the last slot
};
inline constexpr std::array kIndexPatterns = {IndexPattern::Sequential, IndexPattern::Random,
                                              IndexPattern::Beyond};
std::string_view name_of(IndexPattern pattern);

// Everything in memory: an operand by its role, empty when there is none, and every rank's own.
struct MadeUpMemory {
  std::array<std::vector<std::byte>, 5> operands;
  std::vector<std::vector<std::byte>> ranks;

  std::vector<std::byte>& of(Role role) { return operands[static_cast<std::size_t>(role)]; }
  bool operator==(const MadeUpMemory&) const = default;
};

// Numbers are small, so that no sum is a NaN. Too much to be run element by element is an error.
Result<MadeUpMemory> made_up_memory(const KernelSpec& bound, const KernelPlan& plan,
                                    IndexPattern pattern);

// Runs the interpreter on it.
void interpret_on(const KernelSpec& bound, const KernelPlan& plan, MadeUpMemory& memory);

}  // namespace pto::jit::cli
