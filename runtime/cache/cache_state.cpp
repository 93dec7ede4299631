#include "runtime/cache/cache_state.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "runtime/cache/process_fence.h"
#include "runtime/invariant.h"

namespace pto::jit {
namespace {

CacheLimits within_reason(CacheLimits limits) {
  limits.entries = std::min(limits.entries, kMostCacheEntries);
  return limits;
}

// What can be left undone: a kernel that is not kept, or deleted later, a reason that is not told.
template <class Work>
void if_there_is_memory(Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

CacheState::CacheState(const CacheLimits& limits)
    : limits_(within_reason(limits)), table_(limits_.entries) {
  watch_forks(*this);
}

CacheState::~CacheState() { unwatch_forks(*this); }

CacheReader& CacheState::join() {
  const Lock lock(mutex_);
  return readers_.emplace_back(*this, removals_);
}

void CacheState::leave(CacheReader& reader) {
  Entries unread;  // deleted after the lock is gone: kernels may take the arena's
  const Lock lock(mutex_);
  counted_.hits += reader.hits();
  readers_.remove_if([&](const CacheReader& other) { return &other == &reader; });
  if_there_is_memory([&] { unread = take_unread(); });
}

const CacheEntry* CacheState::find_locked(const CacheKey& key) const {
  return table_.find(hash_of(key.spec, key.maker),
                     [&](const CacheEntry* entry) { return entry->is(key.spec, key.maker); });
}

CacheState::Boarding CacheState::board(const CacheKey& key) {
  Boarding out;
  Lock lock(mutex_);
  if (const CacheEntry* entry = find_locked(key)) {
    ++counted_.hits;
    entry->mark_used();
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
  Entries unread;
  const Lock lock(mutex_);
  if (!outcome) ++counted_.failures;
  if (outcome) if_there_is_memory([&] { insert(flight.key, *outcome); });
  flight.outcome.emplace(Diagnostics{});
  if_there_is_memory([&] { flight.outcome = outcome; });
  flight.landed.notify_all();
  std::erase_if(flights_, [&](const auto& other) { return other.get() == &flight; });
  if (is_untidy()) if_there_is_memory([&] { unread = take_unread(); });
}

// A kernel larger than the whole cache is not worth dropping all others for.
void CacheState::insert(const CacheKey& key, const Kernel& kernel) {
  const std::size_t bytes = kernel.footprint();
  if (limits_.entries == 0 || bytes > limits_.bytes || find_locked(key)) return;
  auto entry = std::make_unique<CacheEntry>(key, hash_of(key.spec, key.maker), kernel);
  for (; !has_room_for(bytes); ++counted_.evictions) evict();
  queue_.push_back(std::move(entry));
  table_.insert(*queue_.back());
  bytes_ += bytes;
}

bool CacheState::has_room_for(std::size_t bytes) const {
  return queue_.size() < limits_.entries && bytes <= limits_.bytes - bytes_;
}

// Whatever was used since it last came up goes to the end of the queue instead.
void CacheState::evict() {
  while (queue_.front()->is_used.exchange(false, std::memory_order_relaxed)) {
    queue_.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  remove_first();
}

void CacheState::remove_first() {
  removed_.push_back(std::move(queue_.front()));
  queue_.pop_front();
  const CacheEntry& entry = *removed_.back();
  table_.remove(entry);
  removals_.fetch_add(1, std::memory_order_seq_cst);
  bytes_ -= entry.kernel.footprint();
}

bool CacheState::is_untidy() const { return removed_.size() > queue_.size() / 64; }

bool CacheState::is_announced(const CacheEntry& entry) const {
  return std::ranges::any_of(
      readers_, [&](const CacheReader& reader) { return reader.announced() == &entry; });
}

// Whether nothing that a thread announced before it looked for removals stays unseen: by the
// system's fence, or because all readers have their own. All are asked, so that they have it soon.
bool CacheState::sees_announcements() {
  if (fence_process()) return true;
  return std::ranges::count_if(readers_, &CacheReader::fences_itself) == std::ssize(readers_);
}

// The removed entries that no thread is reading; the others wait for the next time.
CacheState::Entries CacheState::take_unread() {
  if (removed_.empty() || !sees_announcements()) return {};
  const auto is_read = [this](const auto& entry) { return is_announced(*entry); };
  const auto unread = std::ranges::partition(removed_, is_read);
  Entries out(std::make_move_iterator(unread.begin()), std::make_move_iterator(unread.end()));
  removed_.erase(unread.begin(), unread.end());
  return out;
}

void CacheState::tidy() {
  Entries unread;
  const Lock lock(mutex_);
  if (is_untidy()) unread = take_unread();
}

void CacheState::clear() {
  Entries unread;
  const Lock lock(mutex_);
  while (!queue_.empty()) remove_first();
  unread = take_unread();
}

void CacheState::close() {
  is_closed_.store(true, std::memory_order_relaxed);
  if_there_is_memory([this] { clear(); });
}

void CacheState::count_binding(bool is_given) {
  const Lock lock(mutex_);
  ++(is_given ? counted_.bindings : counted_.declined_bindings);
}

CacheStatistics CacheState::statistics() {
  const Lock lock(mutex_);
  CacheStatistics out = counted_;
  for (const CacheReader& reader : readers_) out.hits += reader.hits();
  out.entries = queue_.size();
  out.bytes = bytes_;
  return out;
}

void CacheState::before_fork() { mutex_.lock(); }

void CacheState::after_fork_in_parent() { mutex_.unlock(); }

// Other threads are gone: they read nothing any more, and what they were making is made here by
// whoever needs it.
void CacheState::after_fork_in_child() {
  flights_.clear();
  readers_.remove_if([this](const CacheReader& reader) {
    const bool is_gone = reader.owner() != std::this_thread::get_id();
    if (is_gone) counted_.hits += reader.hits();
    return is_gone;
  });
  mutex_.unlock();
}

}  // namespace pto::jit
