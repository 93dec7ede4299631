// KernelTable: from hashes to entries, read without a lock. Open addressing with linear probing;
// the owner serialises changes. A search that meets a change under way may miss an entry that is
// there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/cache/cache_entry.h"

namespace pto::jit {

class KernelTable {
 public:
  explicit KernelTable(std::size_t most_entries);

  // The first entry with this hash that `accept` takes. What it is given may have been removed
  // meanwhile, and even be deleted, unless the caller prevents that.
  template <class Accept>
  const CacheEntry* find(std::uint64_t hash, Accept accept) const {
    std::size_t at = home_of(hash);
    while (const CacheEntry* entry = cells_[at].entry.load(std::memory_order_acquire)) {
      if (cells_[at].hash.load(std::memory_order_relaxed) == hash && accept(entry)) return entry;
      at = next(at);
    }
    return nullptr;
  }

  // Under the owner's lock.
  void insert(const CacheEntry& entry);
  void remove(const CacheEntry& entry);

 private:
  struct Cell {
    // Tells most strangers apart without reading the entry. Alone: beside another entry than its
    // own it makes a search miss, or compare a key for nothing.
    std::atomic<std::uint64_t> hash{0};
    // Released by store(), acquired by find(): whoever sees an entry sees what it holds.
    std::atomic<const CacheEntry*> entry{nullptr};
  };

  std::size_t home_of(std::uint64_t hash) const { return hash >> shift_; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  static void store(Cell& cell, const CacheEntry* entry);

  std::size_t mask_;
  int shift_;
  std::unique_ptr<Cell[]> cells_;
};

}  // namespace pto::jit
