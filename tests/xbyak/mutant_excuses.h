// Instructions that may be missing without anyone noticing, each for a reason that can be told from
// the plan and from what the code is there for.
#pragma once

#include <cstddef>
#include <string_view>

#include "jit/backends/xbyak/purpose.h"
#include "tests/machine_code/decoded.h"
#include "tests/xbyak/dataflow.h"
#include "tests/xbyak/mutant_sample.h"

namespace pto::jit::tests {

struct Suspect {
  const Sample& sample;
  const std::vector<Instruction>& code;
  const Dataflow& flow;
  const xbyak::Stretches& served;
  std::size_t at = 0;
};

// The reason; empty when there is none.
std::string_view excuse_for(const Suspect& suspect);

// That of code which no case of the sample comes to.
inline constexpr std::string_view kOutOfReach =
    "nobody moves as much as would go around the caches";

}  // namespace pto::jit::tests
