#include "runtime/code/granules.h"

#include <algorithm>
#include <bit>

namespace pto::jit {

Granules::Granules(std::size_t count)
    : count_(count), no_run_of_(count + 1), taken_((count + kWordBits - 1) / kWordBits) {}

std::optional<std::size_t> Granules::take(std::size_t count) {
  if (count >= no_run_of_) return std::nullopt;
  std::size_t first = next_with(false, 0, count_);
  while (first + count <= count_) {
    const std::size_t end = next_with(true, first, first + count);
    if (end == first + count) {
      set(first, count, true);
      return first;
    }
    first = next_with(false, end, count_);
  }
  no_run_of_ = count;
  return std::nullopt;
}

void Granules::give_back(std::size_t first, std::size_t count) {
  set(first, count, false);
  no_run_of_ = count_ + 1;
}

// The first granule in [from, end) that is taken (or free); `end` when there is none.
std::size_t Granules::next_with(bool taken, std::size_t from, std::size_t end) const {
  while (from < end) {
    const std::uint64_t word = taken_[from / kWordBits];
    const std::uint64_t matches = (taken ? word : ~word) >> (from % kWordBits);
    if (matches != 0) {
      return std::min(end, from + static_cast<std::size_t>(std::countr_zero(matches)));
    }
    from += kWordBits - from % kWordBits;
  }
  return end;
}

void Granules::set(std::size_t first, std::size_t count, bool taken) {
  while (count > 0) {
    const std::size_t bit = first % kWordBits;
    const std::size_t here = std::min(count, kWordBits - bit);
    const std::uint64_t mask = (~std::uint64_t{0} >> (kWordBits - here)) << bit;
    std::uint64_t& word = taken_[first / kWordBits];
    word = taken ? word | mask : word & ~mask;
    first += here;
    count -= here;
  }
}

}  // namespace pto::jit
