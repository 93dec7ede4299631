#include "runtime/cache/kernel_table.h"

#include <algorithm>
#include <bit>

#include "runtime/invariant.h"

namespace pto::jit {

// At most half full, so that a probe soon meets an empty cell.
KernelTable::KernelTable(std::size_t most_entries)
    : mask_(std::bit_ceil(std::max<std::size_t>(2 * most_entries, 16)) - 1),
      shift_(std::countl_zero(mask_)),
      cells_(std::make_unique<Cell[]>(mask_ + 1)) {}

void KernelTable::store(Cell& cell, const CacheEntry* entry) {
  cell.hash.store(entry ? entry->hash : 0, std::memory_order_relaxed);
  cell.entry.store(entry, std::memory_order_release);
}

void KernelTable::insert(const CacheEntry& entry) {
  std::size_t at = home_of(entry.hash);
  while (cells_[at].entry.load(std::memory_order_relaxed)) at = next(at);
  store(cells_[at], &entry);
}

// Entries behind the gap move up as long as that brings them nearer to their home, so no cell has
// to be marked as deleted.
void KernelTable::remove(const CacheEntry& entry) {
  std::size_t gap = home_of(entry.hash);
  while (cells_[gap].entry.load(std::memory_order_relaxed) != &entry) {
    if (!cells_[gap].entry.load(std::memory_order_relaxed)) {
      broken_invariant("a cached kernel is missing from its table");
    }
    gap = next(gap);
  }
  std::size_t at = next(gap);
  while (const CacheEntry* other = cells_[at].entry.load(std::memory_order_relaxed)) {
    const std::size_t from_home = (at - home_of(other->hash)) & mask_;
    const std::size_t from_gap = (at - gap) & mask_;
    if (from_home >= from_gap) {
      store(cells_[gap], other);
      gap = at;
    }
    at = next(at);
  }
  store(cells_[gap], nullptr);
}

}  // namespace pto::jit
