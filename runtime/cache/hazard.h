// Hazard pointers: a thread announces what it is about to read, and whoever removed that from the
// cache does not delete it meanwhile. One announcement per thread is enough for the cache.
#pragma once

#include <atomic>

namespace pto::jit {

// A thread's announcement. Never deleted: threads that come later take it over.
struct alignas(64) Hazard {
  std::atomic<const void*> announced{nullptr};
  std::atomic<bool> is_taken{true};
  Hazard* next = nullptr;
};

// For the calling thread, until it is returned.
Hazard& take_hazard();
void return_hazard(Hazard& hazard);

// Whether a thread may be reading `object`, which can no longer be found by others.
bool is_announced(const void* object);

// Reads `place` so that what it points to cannot be deleted until `clear`. Null when it changed
// meanwhile.
//
// Announcing, checking, removing and asking are all sequentially consistent: if the check still
// sees the pointer, it comes before the removal, hence the announcement comes before the question.
template <class T>
const T* announce(Hazard& hazard, const std::atomic<const T*>& place) {
  const T* object = place.load(std::memory_order_seq_cst);
  hazard.announced.store(object, std::memory_order_seq_cst);
  return place.load(std::memory_order_seq_cst) == object ? object : nullptr;
}

inline void clear(Hazard& hazard) { hazard.announced.store(nullptr, std::memory_order_release); }

}  // namespace pto::jit
