// Recency: owns the entries of a cache and knows which was used longest ago. A heap ordered by uses
// as they were last looked up; an entry that was used since then is put back where it belongs when
// its turn comes. Ties go to the older entry. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/cache/cache_entry.h"

namespace pto::jit {

class Recency {
 public:
  std::size_t size() const { return heap_.size(); }
  bool is_empty() const { return heap_.empty(); }

  void add(std::unique_ptr<CacheEntry> entry);
  std::unique_ptr<CacheEntry> take_oldest();  // not when empty

 private:
  struct Item {
    std::uint64_t used;
    std::unique_ptr<CacheEntry> entry;
  };

  static bool is_newer(const Item& a, const Item& b);
  void push(Item item);
  Item pop();

  std::vector<Item> heap_;
};

}  // namespace pto::jit
