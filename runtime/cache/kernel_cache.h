// KernelCache: makes each kernel once and finds it again in nanoseconds.
//
// A hit takes no lock. Kernels are made outside of any lock, one maker per key; others who want the
// same kernel wait for it. The cache is bounded in entries and in bytes and drops what has not been
// used for long; a failure is never kept. Dropping means the cache's reference only: a kernel lives
// until its last caller lets go. Dropped kernels are let go in batches of at most 1/64 of the
// cache; one that a thread has borrowed stays until that thread looks up another or ends.
//
// After a fork the cache works on in the child; kernels that other threads were making are made
// anew. README.md beside this file explains how it works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/cache/cache_entry.h"
#include "runtime/cache/cache_limits.h"
#include "runtime/cache/cache_reader.h"
#include "runtime/kernel.h"

namespace pto::jit {

class CacheState;

class KernelCache {
 public:
  explicit KernelCache(const CacheLimits& limits = {});
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;
  KernelCache(KernelCache&&) = delete;
  KernelCache& operator=(KernelCache&&) = delete;

  // The kernel of a spec as the caller wrote it, canonical or not; null when it is not cached. The
  // pointer is good until this thread's next lookup in this cache.
  const Kernel* borrow(const KernelSpec& spec, std::uint64_t maker) {
    CacheReader* reader = last_reader;
    if (reader && reader->is_of(state_.get())) [[likely]] {
      if (const CacheEntry* entry = reader->recall(spec, maker)) [[likely]]
        return &entry->kernel;
    }
    return look_up(spec, maker);
  }

  // The same, to keep.
  std::optional<Kernel> find(const KernelSpec& spec, std::uint64_t maker) {
    const Kernel* kernel = borrow(spec, maker);
    return kernel ? std::optional(*kernel) : std::nullopt;
  }

  // Finds the kernel of a canonical key or has it made by `make`, a callable that returns
  // Result<Kernel>. Who waits for another thread's maker gets its failure too. `make` must not ask
  // for the same key again; what it throws becomes a diagnostic "cache.maker".
  template <class Make>
  Result<Kernel> get_or_make(const CacheKey& key, Make&& make) {
    if (const Kernel* kernel = borrow(key.spec, key.maker)) return *kernel;
    return get_or_make_beside(key, make);
  }

  // The same for a thread that goes on with a kernel it has borrowed: not a lookup in that sense.
  template <class Make>
  Result<Kernel> get_or_make_beside(const CacheKey& key, Make&& make) {
    using Callable = std::remove_reference_t<Make>;
    const auto call = [](void* it) -> Result<Kernel> { return (*static_cast<Callable*>(it))(); };
    return make_once(key, {const_cast<void*>(static_cast<const void*>(&make)), call});
  }

  // Drops every kernel.
  void clear();

  // For the statistics: what became of a binding that was seen often.
  void count_binding(bool is_given);

  CacheStatistics statistics() const;

 private:
  struct Maker {
    void* callable;
    Result<Kernel> (*call)(void* callable);
  };

  const Kernel* look_up(const KernelSpec& spec, std::uint64_t maker);
  Result<Kernel> make_once(const CacheKey& key, Maker maker);

  std::shared_ptr<CacheState> state_;  // also held by threads that have looked something up
};

}  // namespace pto::jit
