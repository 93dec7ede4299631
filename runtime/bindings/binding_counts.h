// BindingCounts: which of the bindings that come by do so often. It forgets: a few places are
// shared by all of them, and one that comes seldom gives way.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pto::jit {

class BindingCounts {
 public:
  // Whether a binding of this hash has now been seen `enough` times, after which it counts anew.
  // Threads that get in each other's way lose a count.
  bool is_enough(std::uint64_t hash, std::uint32_t enough) {
    Place& place = places_[hash >> (64 - kPlaceBits)];
    const std::uint32_t seen = place.seen.load(std::memory_order_relaxed);
    const bool is_same = place.hash.load(std::memory_order_relaxed) == hash;
    if (!is_same && seen > 0) {
      place.seen.store(seen - 1, std::memory_order_relaxed);
      return false;
    }
    const std::uint32_t now = is_same ? seen + 1 : 1;
    if (!is_same) place.hash.store(hash, std::memory_order_relaxed);
    place.seen.store(now >= enough ? 0 : now, std::memory_order_relaxed);
    return now >= enough;
  }

 private:
  static constexpr int kPlaceBits = 3;
  struct Place {
    std::atomic<std::uint64_t> hash{0};  // alone: beside another's count, a kernel comes too early
    std::atomic<std::uint32_t> seen{0};  // alone: a number
  };

  std::array<Place, std::size_t{1} << kPlaceBits> places_{};
};

}  // namespace pto::jit
