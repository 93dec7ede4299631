#include "runtime/cache/cache_state.h"

#include <algorithm>
#include <utility>

#include "runtime/invariant.h"

namespace pto::jit {
namespace {

CacheLimits within_reason(CacheLimits limits) {
  limits.entries = std::min(limits.entries, kMostCacheEntries);
  return limits;
}

}  // namespace

CacheState::CacheState(const CacheLimits& limits)
    : limits_(within_reason(limits)), table_(limits_.entries) {
  watch_forks(*this);
}

CacheState::~CacheState() { unwatch_forks(*this); }

CacheState::Boarding CacheState::board(const CacheKey& key) {
  Boarding out;
  Lock lock(mutex_);
  if (const CacheEntry* entry = table_.find_locked(key)) {
    ++counted_.hits;
    entry->life->touch(cache_generation.load(std::memory_order_relaxed));
    out.arrived.emplace(entry->kernel);
    return out;
  }
  const auto flight =
      std::ranges::find_if(flights_, [&](const auto& other) { return other->key == key; });
  if (flight != flights_.end()) {
    out.arrived.emplace(wait_for(*flight, lock));
    return out;
  }
  ++counted_.misses;
  out.flight = flights_.emplace_back(std::make_shared<Flight>());
  out.flight->key = key;
  out.flight->owner = std::this_thread::get_id();
  return out;
}

// Takes a share of the flight, which leaves the list when it lands.
Result<Kernel> CacheState::wait_for(std::shared_ptr<Flight> mine, Lock& lock) {
  if (mine->owner == std::this_thread::get_id()) {
    broken_invariant("the maker of a kernel asks for the very kernel it is making");
  }
  while (true) {
    if (const std::optional<Result<Kernel>>& outcome = mine->outcome) {
      if (*outcome) ++counted_.hits;
      return *outcome;
    }
    mine->landed.wait(lock);
  }
}

void CacheState::land(Flight& flight, const Result<Kernel>& outcome) noexcept {
  Entries unread;  // deleted after the lock is gone: kernels may take the arena's
  const Lock lock(mutex_);
  if (outcome) {
    insert(flight.key, *outcome);
  } else {
    ++counted_.failures;
  }
  flight.outcome = outcome;
  flight.landed.notify_all();
  std::erase_if(flights_, [&](const auto& other) { return other.get() == &flight; });
  unread = take_unread();
}

// A kernel larger than the whole cache is not worth dropping all others for.
void CacheState::insert(const CacheKey& key, const Kernel& kernel) {
  const std::size_t bytes = kernel.footprint();
  if (limits_.entries == 0 || bytes > limits_.bytes || table_.find_locked(key)) return;
  for (; !has_room_for(bytes); ++counted_.evictions) drop_oldest();
  // Whatever is used from now on counts as used after this.
  const std::uint64_t now = cache_generation.fetch_add(1, std::memory_order_release);
  Liveness& life = new_life();
  life.used.store(now, std::memory_order_relaxed);
  life.stamp.store(now, std::memory_order_relaxed);
  auto entry = std::make_unique<CacheEntry>(
      CacheEntry{.key = key, .hash = hash_of(key), .kernel = kernel, .life = &life, .stamp = now});
  table_.insert(*entry);
  bytes_ += bytes;
  recency_.add(std::move(entry));
}

bool CacheState::has_room_for(std::size_t bytes) const {
  return recency_.size() < limits_.entries && bytes <= limits_.bytes - bytes_;
}

void CacheState::drop_oldest() {
  std::unique_ptr<CacheEntry> entry = recency_.take_oldest();
  table_.remove(*entry);
  entry->life->stamp.store(0, std::memory_order_relaxed);
  free_lives_.push_back(entry->life);
  bytes_ -= entry->kernel.footprint();
  removed_.push_back(std::move(entry));
  ++dropped_;
  if (dropped_ > recency_.size() / 64) ask_to_let_go();
}

void CacheState::ask_to_let_go() {
  dropped_ = 0;
  drops_.fetch_add(1, std::memory_order_relaxed);
  cache_generation.fetch_add(1, std::memory_order_release);
}

// Entries that no thread is reading; the others wait for the next time.
CacheState::Entries CacheState::take_unread() {
  const auto is_read = [](const auto& entry) { return is_announced(entry.get()); };
  const auto unread = std::ranges::partition(removed_, is_read);
  Entries out(std::make_move_iterator(unread.begin()), std::make_move_iterator(unread.end()));
  removed_.erase(unread.begin(), unread.end());
  return out;
}

Liveness& CacheState::new_life() {
  if (free_lives_.empty()) return lives_.emplace_back();
  Liveness& life = *free_lives_.back();
  free_lives_.pop_back();
  return life;
}

void CacheState::clear() {
  Entries unread;
  const Lock lock(mutex_);
  while (!recency_.is_empty()) drop_oldest();
  ask_to_let_go();
  unread = take_unread();
}

CacheStatistics CacheState::statistics() {
  const Lock lock(mutex_);
  CacheStatistics out = counted_;
  for (const std::shared_ptr<HitCounter>& counter : counters_) {
    out.hits += counter->hits.load(std::memory_order_relaxed);
  }
  out.entries = recency_.size();
  out.bytes = bytes_;
  return out;
}

// Counters of threads that have ended are added up.
std::shared_ptr<HitCounter> CacheState::add_counter() {
  const Lock lock(mutex_);
  std::erase_if(counters_, [&](const std::shared_ptr<HitCounter>& counter) {
    const bool is_ours_alone = counter.use_count() == 1;
    if (is_ours_alone) counted_.hits += counter->hits.load(std::memory_order_relaxed);
    return is_ours_alone;
  });
  return counters_.emplace_back(std::make_shared<HitCounter>());
}

void CacheState::before_fork() { mutex_.lock(); }

void CacheState::after_fork_in_parent() { mutex_.unlock(); }

// Other threads will never land what they were making; whoever needs it makes it here.
void CacheState::after_fork_in_child() {
  flights_.clear();
  mutex_.unlock();
}

}  // namespace pto::jit
