#include "runtime/cache/kernel_cache.h"

#include <pthread.h>

#include <exception>
#include <list>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "runtime/cache/cache_state.h"
#include "runtime/cache/process_fence.h"
#include "runtime/host/host_features.h"
#include "runtime/invariant.h"

namespace pto::jit {
namespace {

// A thread's part in a cache.
class Membership {
 public:
  explicit Membership(std::shared_ptr<CacheState> cache)
      : cache_(std::move(cache)), reader_(cache_->join()) {}
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  Membership(Membership&&) = delete;
  Membership& operator=(Membership&&) = delete;
  ~Membership() { cache_->leave(reader_); }

  const CacheState& cache() const { return *cache_; }
  CacheReader& reader() { return reader_; }

 private:
  std::shared_ptr<CacheState> cache_;
  CacheReader& reader_;
};
using Memberships = std::list<Membership>;

[[gnu::tls_model("initial-exec")]] constinit thread_local Memberships* own_memberships = nullptr;

void end_thread(void* memberships) {
  last_reader = nullptr;
  own_memberships = nullptr;
  delete static_cast<Memberships*>(memberships);
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

Memberships& memberships() {
  if (!own_memberships) {
    auto made = std::make_unique<Memberships>();
    if (pthread_setspecific(thread_key(), made.get()) != 0) throw std::bad_alloc();
    own_memberships = made.release();
  }
  return *own_memberships;
}

// Caches that are gone are left when a thread turns to another.
CacheReader& reader_of(const std::shared_ptr<CacheState>& cache) {
  if (last_reader && last_reader->is_of(cache.get())) return *last_reader;
  Memberships& mine = memberships();
  std::erase_if(mine, [](const Membership& one) { return one.cache().is_closed(); });
  for (Membership& one : mine) {
    if (&one.cache() == cache.get()) return *(last_reader = &one.reader());
  }
  return *(last_reader = &mine.emplace_back(cache).reader());
}

template <class Call>
Result<Kernel> without_throwing(Call call) {
  try {
    return call();
  } catch (const std::exception& thrown) {
    return error("cache.maker", std::string("making a kernel failed: ") + thrown.what());
  } catch (...) {
    return error("cache.maker", "making a kernel failed");
  }
}

}  // namespace

// What is set up once per process is set up here: a fork during a lookup finds it done.
KernelCache::KernelCache(const CacheLimits& limits) : state_(std::make_shared<CacheState>(limits)) {
  thread_key();
  has_process_fence();
  host_features();
}

// Other threads may still hold what they borrowed, until they turn to another cache or end.
KernelCache::~KernelCache() {
  if (last_reader && last_reader->is_of(state_.get())) last_reader = nullptr;
  if (own_memberships) {
    std::erase_if(*own_memberships, [&](const auto& one) { return &one.cache() == state_.get(); });
  }
  state_->close();
}

// Most specs come in canonical form, so that is tried before it is worked out. A canonical form has
// lost its flaws, so one that has some is not looked for by it.
const Kernel* KernelCache::look_up(const KernelSpec& spec, std::uint64_t maker) {
  CacheReader& reader = reader_of(state_);
  const CacheEntry* entry = reader.find(state_->table(), spec, maker);
  if (!entry && flaws_of(spec).empty())
    entry = reader.find(state_->table(), canonical(spec), maker);
  if (entry) return &entry->kernel;
  reader.announce(nullptr);
  state_->tidy();
  return nullptr;
}

Result<Kernel> KernelCache::make_once(const CacheKey& key, Maker maker) {
  if (canonical(key.spec) != key.spec) broken_invariant("a cache key is not canonical");
  CacheState::Boarding boarding = state_->board(key);
  if (boarding.arrived) return *std::move(boarding.arrived);
  try {
    Result<Kernel> outcome = without_throwing([&] { return maker.call(maker.callable); });
    state_->land(*boarding.flight, outcome);
    return outcome;
  } catch (...) {  // not even memory to say what failed
    state_->land(*boarding.flight, Diagnostics{});
    throw;
  }
}

void KernelCache::clear() { state_->clear(); }

void KernelCache::count_binding(bool is_given) { state_->count_binding(is_given); }

CacheStatistics KernelCache::statistics() const { return state_->statistics(); }

}  // namespace pto::jit
