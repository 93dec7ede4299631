#include "runtime/cache/kernel_cache.h"

#include <pthread.h>

#include <atomic>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "ir/canonical.h"
#include "runtime/cache/cache_state.h"
#include "runtime/cache/hazard.h"
#include "runtime/host/host_features.h"
#include "runtime/invariant.h"

namespace pto::jit {
namespace {

std::uint64_t next_cache_id() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// What a thread keeps for its lookups in all caches.
struct ThreadState {
  Hazard& hazard = take_hazard();
  std::vector<std::unique_ptr<ThreadMap>> maps;

  ThreadMap* map_of(std::uint64_t cache) const {
    for (const std::unique_ptr<ThreadMap>& map : maps) {
      if (map->cache() == cache) return map.get();
    }
    return nullptr;
  }
};

constinit thread_local ThreadState* own_state = nullptr;

void end_thread(void* state) {
  current_thread_map = nullptr;
  own_state = nullptr;
  auto* ending = static_cast<ThreadState*>(state);
  Hazard& hazard = ending->hazard;
  delete ending;
  return_hazard(hazard);
}

// Unlike a thread_local object, a key may be set again by destructors that run later.
pthread_key_t thread_key() {
  static const pthread_key_t kKey = [] {
    pthread_key_t made = 0;
    if (pthread_key_create(&made, end_thread) != 0) broken_invariant("no thread key is left");
    return made;
  }();
  return kKey;
}

ThreadState& thread_state() {
  if (!own_state) {
    own_state = new ThreadState;
    if (pthread_setspecific(thread_key(), own_state) != 0) broken_invariant("no memory for a key");
  }
  return *own_state;
}

}  // namespace

// What is set up once per process is set up here: a fork during a lookup finds it done.
KernelCache::KernelCache(const CacheLimits& limits)
    : id_(next_cache_id()), state_(std::make_unique<CacheState>(limits)) {
  thread_state();
  host_features();
}

// Of the maps only the calling thread's own can be touched.
KernelCache::~KernelCache() {
  if (!own_state) return;
  if (own_state->map_of(id_) == current_thread_map) current_thread_map = nullptr;
  std::erase_if(own_state->maps, [&](const auto& map) { return map->cache() == id_; });
}

// Maps that other threads had of a cache that is gone go when they turn to another cache.
ThreadMap& KernelCache::thread_map() {
  ThreadState& state = thread_state();
  if (current_thread_map && current_thread_map->cache() == id_) return *current_thread_map;
  std::erase_if(state.maps, [](const auto& map) { return map->is_orphan(); });
  if (!state.map_of(id_)) {
    state.maps.push_back(std::make_unique<ThreadMap>(id_, state_->add_counter()));
  }
  current_thread_map = state.map_of(id_);
  return *current_thread_map;
}

// The generation is read first: whatever is dropped later is noticed at the next lookup.
const Kernel* KernelCache::borrow_slowly(const KernelSpec& spec, std::uint64_t maker) {
  const std::uint64_t now = cache_generation.load(std::memory_order_acquire);
  ThreadMap& map = thread_map();
  map.sweep(state_->drops());
  ThreadSlot* slot = map.find(spec, maker);
  if (slot && !slot->found.is_cached()) {
    map.sweep();
    slot = nullptr;
  }
  if (!slot) {
    std::optional<FoundKernel> found = find_in_table(spec, maker);
    if (!found) return nullptr;
    slot = &map.add(spec, maker, *std::move(found));
  }
  slot->seen = now;
  slot->found.life->touch(now);
  map.counter().count();
  return &slot->found.kernel;
}

// Most specs come in canonical form, so that is tried before it is worked out.
std::optional<FoundKernel> KernelCache::find_in_table(const KernelSpec& spec,
                                                      std::uint64_t maker) const {
  Hazard& hazard = thread_state().hazard;
  std::optional<FoundKernel> found = state_->table().find({spec, maker}, hazard);
  if (found) return found;
  return state_->table().find({canonical(spec), maker}, hazard);
}

Result<Kernel> KernelCache::make_once(const CacheKey& key, Maker maker) {
  if (canonical(key.spec) != key.spec) broken_invariant("a cache key is not canonical");
  CacheState::Boarding boarding = state_->board(key);
  if (boarding.arrived) return *std::move(boarding.arrived);
  Result<Kernel> outcome = run(maker);
  state_->land(*boarding.flight, outcome);
  return outcome;
}

Result<Kernel> KernelCache::run(Maker maker) {
  try {
    return maker.call(maker.callable);
  } catch (const std::exception& thrown) {
    return error("cache.maker", std::string("making a kernel failed: ") + thrown.what());
  } catch (...) {
    return error("cache.maker", "making a kernel failed");
  }
}

void KernelCache::clear() { state_->clear(); }

CacheStatistics KernelCache::statistics() const { return state_->statistics(); }

}  // namespace pto::jit
