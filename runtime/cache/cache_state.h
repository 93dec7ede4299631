// CacheState: what the threads of a cache share, behind one mutex; only the table is also read
// without it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ir/result.h"
#include "runtime/cache/kernel_cache.h"
#include "runtime/cache/kernel_table.h"
#include "runtime/cache/recency.h"
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

  const KernelTable& table() const { return table_; }

  // How often threads were asked to let go of dropped kernels.
  std::uint64_t drops() const { return drops_.load(std::memory_order_relaxed); }

  // What a thread that found nothing does next: take the kernel that has come meanwhile (or the
  // failure), or make it and say how that went.
  struct Boarding {
    std::optional<Result<Kernel>> arrived;
    std::shared_ptr<Flight> flight;
  };
  Boarding board(const CacheKey& key);
  void land(Flight& flight, const Result<Kernel>& outcome) noexcept;  // others depend on it

  void clear();
  CacheStatistics statistics();
  std::shared_ptr<HitCounter> add_counter();

  void before_fork() override;
  void after_fork_in_parent() override;
  void after_fork_in_child() override;

 private:
  using Entries = std::vector<std::unique_ptr<CacheEntry>>;
  using Lock = std::unique_lock<std::mutex>;

  Result<Kernel> wait_for(std::shared_ptr<Flight> mine, Lock& lock);
  void insert(const CacheKey& key, const Kernel& kernel);
  bool has_room_for(std::size_t bytes) const;
  void drop_oldest();
  void ask_to_let_go();
  Entries take_unread();
  Liveness& new_life();

  std::mutex mutex_;
  const CacheLimits limits_;
  KernelTable table_;
  Recency recency_;
  std::size_t bytes_ = 0;
  Entries removed_;             // no longer in the table, perhaps still being read
  std::deque<Liveness> lives_;  // never shrinks: threads remember them
  std::vector<Liveness*> free_lives_;
  std::vector<std::shared_ptr<Flight>> flights_;
  std::vector<std::shared_ptr<HitCounter>> counters_;
  CacheStatistics counted_;  // hits other than through thread maps
  std::size_t dropped_ = 0;  // since threads were last asked to let go
  std::atomic<std::uint64_t> drops_{0};
};

}  // namespace pto::jit
