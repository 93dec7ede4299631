// A soak: eight threads that come and go make kernels of every operation in every way there is,
// call them and check what they leave, while caches are cleared, kernels evicted and processes
// forked. After each round of it everything is let go, and the process should be as it was.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/sanitized.h"

namespace pto::jit::tests {

// See kNoForks.
inline constexpr bool kForks = !kIsSanitized;

// What the process holds between rounds.
struct Holdings {
  std::size_t resident = 0;  // bytes
  std::size_t files = 0;     // open ones
  std::size_t mappings = 0;
};

struct SoakReport {
  std::map<std::string, std::uint64_t> calls;  // by operation and backend
  std::uint64_t evictions = 0;
  std::uint64_t clears = 0;
  std::uint64_t forks = 0;
  std::vector<std::string> wrong;  // the first few
  std::vector<Holdings> rounds;    // one at the end of each
};

SoakReport soak(std::chrono::milliseconds time);

std::string print(const SoakReport& report);

}  // namespace pto::jit::tests
