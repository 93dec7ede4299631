// KernelTable: from keys to entries, read without a lock. Open addressing with linear probing; the
// owner serialises changes. A reader that meets a change under way may miss an entry that is there,
// never find a wrong one: whoever misses asks again under the owner's lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/cache/cache_entry.h"
#include "runtime/cache/hazard.h"

namespace pto::jit {

class KernelTable {
 public:
  explicit KernelTable(std::size_t most_entries);

  // Any thread, with its own hazard.
  std::optional<FoundKernel> find(const CacheKey& key, Hazard& hazard) const;

  // Under the owner's lock. After `remove` readers may still hold the entry: see is_announced.
  const CacheEntry* find_locked(const CacheKey& key) const;
  void insert(const CacheEntry& entry);
  void remove(const CacheEntry& entry);

 private:
  struct Cell {
    std::atomic<std::uint64_t> hash{0};  // tells most strangers apart without reading the entry
    std::atomic<const CacheEntry*> entry{nullptr};
  };

  std::size_t home_of(std::uint64_t hash) const { return hash & mask_; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  static void store(Cell& cell, const CacheEntry* entry);

  std::size_t mask_;
  std::unique_ptr<Cell[]> cells_;
};

}  // namespace pto::jit
