// Counts heap allocations of the calling thread, and lets them fail.
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

// As long as it lives, this thread's allocations fail after `allowed` more. Not under a sanitizer.
class FailingAllocations {
 public:
  explicit FailingAllocations(std::uint64_t allowed);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  FailingAllocations(FailingAllocations&&) = delete;
  FailingAllocations& operator=(FailingAllocations&&) = delete;
};

}  // namespace pto::jit::tests
