// ThreadMap: the kernels a thread has used of one cache, found by the very bytes of the spec it was
// asked for, canonical or not. It holds its kernels, so what it hands out stays valid until the
// thread's next lookup; kernels that the cache has dropped are let go by `sweep`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cache/cache_entry.h"

namespace pto::jit {

// Written by one thread, read by those who want statistics.
struct alignas(64) HitCounter {
  std::atomic<std::uint64_t> hits{0};

  void count() { hits.store(hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

// The spec comes first and is aligned, for wide comparisons.
struct alignas(64) ThreadSlot {
  KernelSpec spec;
  std::uint64_t maker;
  std::uint64_t seen;  // the generation the kernel was last known to be cached in
  FoundKernel found;
  std::uint64_t hash;
};
static_assert(sizeof(ThreadSlot) == 256);

class ThreadMap {
 public:
  ThreadMap(std::uint64_t cache, std::shared_ptr<HitCounter> counter);

  std::uint64_t cache() const { return cache_; }
  HitCounter& counter() { return *counter_; }

  // True when nobody but this map knows the counter: the cache is gone.
  bool is_orphan() const { return counter_.use_count() == 1; }

  // The slot of exactly this spec; null when there is none.
  ThreadSlot* find(const KernelSpec& spec, std::uint64_t maker) {
    return find_(*this, spec, maker);
  }

  // Adds a slot, not yet seen, for a spec that has none. All slots may move.
  ThreadSlot& add(const KernelSpec& spec, std::uint64_t maker, FoundKernel found);

  // Lets go of what is no longer cached, if the cache has dropped kernels since the last time.
  void sweep(std::uint64_t drops);
  void sweep();

 private:
  friend struct ThreadFind;
  using Find = ThreadSlot* (*)(ThreadMap& map, const KernelSpec& spec, std::uint64_t maker);

  // A place of the index: part of the slot's hash, 0 when the place is empty, and its number.
  struct Place {
    std::uint32_t tag = 0;
    std::uint32_t slot = 0;
  };

  // The slot that the spec at an address was found in: most specs stay where they are, and then
  // need not be hashed to be compared.
  struct Memo {
    const KernelSpec* spec = nullptr;
    std::uint32_t slot = 0;
  };
  static constexpr unsigned kMemoBits = 6;

  Memo& memo_of(const KernelSpec& spec) {
    const auto address = reinterpret_cast<std::uintptr_t>(&spec);
    return memos_[address * 0x9e3779b97f4a7c15 >> (64 - kMemoBits)];
  }

  static Find best_find();
  std::size_t home_of(std::uint64_t hash) const { return hash >> shift_; }
  void rebuild();
  void enter(std::size_t slot);

  std::uint64_t cache_;
  Find find_;
  unsigned shift_ = 0;    // the index has 2^(64 - shift_) places,
  std::size_t mask_ = 0;  // one more than this
  std::array<Memo, std::size_t{1} << kMemoBits> memos_{};
  std::vector<Place> index_;
  std::vector<ThreadSlot> slots_;
  std::uint64_t drops_ = 0;
  std::shared_ptr<HitCounter> counter_;
};

// The map the calling thread used last.
extern constinit thread_local ThreadMap* current_thread_map;

}  // namespace pto::jit
