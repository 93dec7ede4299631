// The cases of the ISA's own system tests, as specs with the verdict they must get.
#pragma once

#include <string>
#include <vector>

namespace pto::jit::tests {

struct ConformanceCase {
  bool legal = false;
  std::string
      index;         // the pattern of indices: no_dup random same seq oob dup, or - for none or any
  std::string bind;  // "src.vr=4,src.vc=8", or - for none
  std::string spec;
};

std::vector<ConformanceCase> conformance_cases();

}  // namespace pto::jit::tests
