// Why two targets leave different memory: which parts of their plans differ, which decision or rule
// stands behind each, and whether it mattered on the data at hand.
#pragma once

#include <string>
#include <vector>

#include "jit/checks/compare/memory.h"

namespace pto::jit {

struct Reason {
  std::string id;       // a decision, as "0011", or a note, as "cpu.policy_ignored"
  std::string what;     // in our words
  bool matters = true;  // changes the result on these data when nothing else does
};

// Every part in which the plans differ. Each is tried alone: the first plan with that part of the
// second, interpreted on the same memory.
std::vector<Reason> reasons_between(const BoundSpec& first, const BoundSpec& second,
                                    const MadeMemory& memory);

}  // namespace pto::jit
