// CacheState: what the threads of a cache share. Lookups read the table without a lock; all else is
// behind one mutex. README.md beside this file has the protocol.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ir/result.h"
#include "runtime/cache/cache_reader.h"
#include "runtime/cache/kernel_cache.h"
#include "runtime/cache/kernel_table.h"
#include "runtime/fork_watch.h"

namespace pto::jit {

// A kernel in the making, and those who wait for it.
struct Flight {
  CacheKey key;
  std::thread::id owner;
  std::optional<Result<Kernel>> outcome;
  std::condition_variable landed;
};

class CacheState final : public ForkParticipant {
 public:
  explicit CacheState(const CacheLimits& limits);
  ~CacheState();
  CacheState(const CacheState&) = delete;
  CacheState& operator=(const CacheState&) = delete;
  CacheState(CacheState&&) = delete;
  CacheState& operator=(CacheState&&) = delete;

  // A thread's record, from its first lookup to its end.
  CacheReader& join();
  void leave(CacheReader& reader);

  const KernelTable& table() const { return table_; }

  // What a thread that found nothing does next: take the kernel that has come meanwhile (or the
  // failure), or make it and say how that went.
  struct Boarding {
    std::optional<Result<Kernel>> arrived;
    std::shared_ptr<Flight> flight;
  };
  Boarding board(const CacheKey& key);
  void land(Flight& flight, const Result<Kernel>& outcome) noexcept;  // others depend on it

  // Deletes removed entries that nobody announces, once they are more than one in 64.
  void tidy();

  void clear();
  void close();  // as clear, for good
  bool is_closed() const { return is_closed_.load(std::memory_order_relaxed); }
  void count_binding(bool is_given);
  CacheStatistics statistics();

  void before_fork() override;
  void after_fork_in_parent() override;
  void after_fork_in_child() override;

 private:
  using Entries = std::vector<std::unique_ptr<CacheEntry>>;
  using Lock = std::unique_lock<std::mutex>;

  const CacheEntry* find_locked(const CacheKey& key) const;
  Result<Kernel> wait_for(std::shared_ptr<Flight> mine, Lock& lock);
  void insert(const CacheKey& key, const Kernel& kernel);
  bool has_room_for(std::size_t bytes) const;
  void evict();
  void remove_first();
  bool is_untidy() const;
  bool is_announced(const CacheEntry& entry) const;
  bool sees_announcements();
  Entries take_unread();

  std::mutex mutex_;
  const CacheLimits limits_;
  KernelTable table_;
  std::deque<std::unique_ptr<CacheEntry>> queue_;  // in the order they come up for eviction
  std::size_t bytes_ = 0;
  Entries removed_;  // no longer in the table, perhaps still being read
  std::list<CacheReader> readers_;
  std::vector<std::shared_ptr<Flight>> flights_;
  CacheStatistics counted_;             // without the hits of readers
  std::atomic<bool> is_closed_{false};  // alone: a thread that sees it late leaves later
  // Counted after each is done, for CacheReader::removals().
  alignas(64) std::atomic<std::uint64_t> removals_{0};
};

}  // namespace pto::jit
