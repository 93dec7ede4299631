// What the cache finds kernels by, and what it remembers of each.
#pragma once

#include <atomic>
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

inline std::uint64_t word_at(const KernelSpec& spec, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const std::byte*>(&spec) + offset, sizeof word);
  return word;
}

// Over every byte of the key.
inline std::uint64_t hash_of(const CacheKey& key) {
  static_assert(sizeof(KernelSpec) % 16 == 0);
  __extension__ using Wide = unsigned __int128;
  std::uint64_t hash = key.maker * 0x9e3779b97f4a7c15;
  for (std::size_t at = 0; at < sizeof(KernelSpec); at += 16) {
    const Wide product = Wide{word_at(key.spec, at) ^ (0x9e3779b97f4a7c15 + at)} *
                         (word_at(key.spec, at + 8) ^ (0xc4ceb9fe1a85ec53 - at));
    hash += static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  hash *= 0xff51afd7ed558ccd;
  return hash ^ (hash >> 32);
}

// Counts insertions and evictions of all caches. A use between two of them is as recent as any
// other, so a hit writes to memory that threads share only once in a generation. Who sees a
// generation also sees what was dropped before it.
alignas(64) inline constinit std::atomic<std::uint64_t> cache_generation{1};

// The part of an entry that changes and that outlives it, for threads that remember the entry.
struct Liveness {
  std::atomic<std::uint64_t> stamp{0};  // of the entry that is in the cache; 0 when there is none
  std::atomic<std::uint64_t> used{0};   // the generation of the last use

  void touch(std::uint64_t generation) {
    if (used.load(std::memory_order_relaxed) != generation) {
      used.store(generation, std::memory_order_relaxed);
    }
  }
};

// Immutable, so that threads may read it without a lock.
struct CacheEntry {
  CacheKey key;
  std::uint64_t hash;
  Kernel kernel;
  Liveness* life;
  std::uint64_t stamp;  // no two entries have the same
};

// What a lookup hands out: owns the kernel, whatever becomes of the entry.
struct FoundKernel {
  Kernel kernel;
  Liveness* life;
  std::uint64_t stamp;

  bool is_cached() const { return life->stamp.load(std::memory_order_relaxed) == stamp; }
};

}  // namespace pto::jit
