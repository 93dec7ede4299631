#include "runtime/cache/recency.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pto::jit {

bool Recency::is_newer(const Item& a, const Item& b) {
  return std::tie(a.used, a.entry->stamp) > std::tie(b.used, b.entry->stamp);
}

void Recency::push(Item item) {
  heap_.push_back(std::move(item));
  std::ranges::push_heap(heap_, is_newer);
}

Recency::Item Recency::pop() {
  std::ranges::pop_heap(heap_, is_newer);
  Item item = std::move(heap_.back());
  heap_.pop_back();
  return item;
}

void Recency::add(std::unique_ptr<CacheEntry> entry) {
  const std::uint64_t used = entry->life->used.load(std::memory_order_relaxed);
  push({used, std::move(entry)});
}

// An item's use is never later than its entry's, so the first that is up to date is the oldest.
std::unique_ptr<CacheEntry> Recency::take_oldest() {
  while (true) {
    Item item = pop();
    const std::uint64_t used = item.entry->life->used.load(std::memory_order_relaxed);
    if (used == item.used) return std::move(item.entry);
    item.used = used;
    push(std::move(item));
  }
}

}  // namespace pto::jit
