// Counts heap allocations of the calling thread.
#pragma once

#include <cstdint>

namespace pto::jit::tests {

// Allocations this thread has made since it started.
std::uint64_t allocations();

// How many `work` makes.
template <class Work>
std::uint64_t allocations_of(Work&& work) {
  const std::uint64_t before = allocations();
  work();
  return allocations() - before;
}

}  // namespace pto::jit::tests
