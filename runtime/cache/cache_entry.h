// What the cache finds kernels by, and what it keeps of each.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ir/spec.h"
#include "runtime/kernel.h"

namespace pto::jit {

// `maker` stands for all but the spec that decides which code is made: the backend and the features
// of the host.
struct CacheKey {
  KernelSpec spec;  // canonical
  std::uint64_t maker = 0;

  bool operator==(const CacheKey&) const = default;
};

static_assert(std::is_trivially_copyable_v<CacheKey>);
static_assert(std::has_unique_object_representations_v<CacheKey>);

// Over every byte of the key, in four sums that do not wait for each other. The upper bits are the
// good ones: the lowest of a product know nothing of the highest of its factors.
inline std::uint64_t hash_of(const KernelSpec& spec, std::uint64_t maker) {
  static_assert(sizeof(KernelSpec) % sizeof(std::uint64_t) == 0);
  std::uint64_t sums[4] = {0, 0, 0, maker};
#pragma GCC unroll 32
  for (std::size_t i = 0; i < sizeof(KernelSpec) / sizeof(std::uint64_t); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(&spec) + i * sizeof word, sizeof word);
    sums[i % 4] = std::rotl(sums[i % 4], 11) + word;
  }
  return sums[0] * 0x9e3779b97f4a7c15 + sums[1] * 0xff51afd7ed558ccd +
         sums[2] * 0xc4ceb9fe1a85ec53 + sums[3] * 0xbf58476d1ce4e5b9;
}

// All but the mark is immutable, so that threads may read it without a lock.
struct alignas(64) CacheEntry {
  CacheKey key;
  std::uint64_t hash;
  Kernel kernel;
  // Since it last came up for eviction. Alone: a mark that is seen late is a worse choice of what
  // to evict, and nothing else.
  mutable std::atomic<bool> is_used{false};

  bool is(const KernelSpec& spec, std::uint64_t maker) const {
    return key.maker == maker && std::memcmp(&key.spec, &spec, sizeof spec) == 0;
  }
  // Written only when it changes: the line is shared by all threads that use the kernel.
  void mark_used() const {
    if (!is_used.load(std::memory_order_relaxed)) is_used.store(true, std::memory_order_relaxed);
  }
};

}  // namespace pto::jit
