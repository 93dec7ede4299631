// What a cache of kernels may hold, and what it has done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::jit {

struct CacheLimits {
  std::size_t entries = 16384;  // at most kMostCacheEntries
  std::size_t bytes = std::size_t{64} << 20;

  bool operator==(const CacheLimits&) const = default;
};

inline constexpr std::size_t kMostCacheEntries = std::size_t{1} << 20;

// Calls after which a binding gets a kernel of its own.
inline constexpr std::uint32_t kBindAfter = 256;
inline constexpr std::uint32_t kMostBindAfter = 65535;

struct CacheStatistics {
  std::uint64_t hits = 0;       // lookups that found a kernel, or waited for one
  std::uint64_t misses = 0;     // calls of a maker
  std::uint64_t evictions = 0;  // to stay within the limits
  std::uint64_t failures = 0;   // of the misses
  std::size_t entries = 0;
  std::size_t bytes = 0;
  std::uint64_t bindings = 0;  // that were given kernels of their own
  // That came as often and stayed with the general kernel: no static spec has such values, or there
  // was no memory.
  std::uint64_t declined_bindings = 0;

  bool operator==(const CacheStatistics&) const = default;
};

}  // namespace pto::jit
