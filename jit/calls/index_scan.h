// Indices looked through quickly: whether any of them is out of range, not which.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::jit {

// Side by side in memory.
struct IndexRun {
  const void* first = nullptr;
  std::int64_t count = 0;
  std::int64_t size = 4;  // bytes of an index: 2, 4 or 8
};

// An index, taken as unsigned, is in range when `bias` added to it gives less than `limit`.
struct IndexRange {
  std::uint64_t limit = 0;
  std::uint64_t bias = 0;
};

constexpr bool is_inside(std::uint64_t index, IndexRange range) {
  return index + range.bias < range.limit;
}

// `bias` counts for indices of 8 bytes only.
bool all_inside(const IndexRun& run, IndexRange range);

// The lower 32 bits of 8-byte indices; whether all of these were in range.
bool narrow_indices(const IndexRun& run, IndexRange range, std::uint32_t* out);

}  // namespace pto::jit
