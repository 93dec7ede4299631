// Parts on oneTBB's threads. An arena for each number of threads that was asked for, kept for the
// process's life: its threads sleep between calls. Where fewer can be made, those there are do it.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/made_once.h"
#include "runtime/parallel/work_pool.h"

namespace pto::jit {
namespace {

// Of so many threads at once, how many can be made. When one of its own cannot be, oneTBB throws,
// or ends the process where a thread of its was to make it: so that is found out before.
int threads_to_be_had(int most) {
  std::latch all(1);
  std::vector<std::thread> made;
  try {
    made.reserve(static_cast<std::size_t>(most));
    while (std::ssize(made) < most) made.emplace_back([&] { all.wait(); });
  } catch (const std::exception&) {  // not one more
  }
  all.count_down();
  for (std::thread& thread : made) thread.join();
  return static_cast<int>(made.size());
}

class TbbPool final : public WorkPool {
 public:
  explicit TbbPool(int threads) : arena_(threads) {}

  int threads() const override { return arena_.max_concurrency(); }

  // Whatever stops oneTBB stops no part: those that were not begun are left to the caller.
  void run(int parts, const std::function<void(int)>& part) override {
    std::atomic<int> next = 0;  // alone: only that no two get the same
    try {
      const auto run_next = [&](int) { part(next.fetch_add(1, std::memory_order_relaxed)); };
      arena_.execute([&] { tbb::parallel_for(0, parts, run_next, tbb::simple_partitioner()); });
    } catch (const std::exception&) {  // a thread or memory that cannot be had
    }
    for (int number = 0; (number = next++) < parts;) part(number);
  }

 private:
  tbb::task_arena arena_;
};

// A fork leaves the child without the threads, and with arenas that wait for them.
class Pools {
 public:
  WorkPool* with(int threads) {
    if (getpid() != owner_) return &in_turn();
    // More than there are processors would be refused, on standard error.
    const int most = std::min(threads, tbb::this_task_arena::max_concurrency());
    const std::lock_guard lock(mutex_);
    if (const auto known = pools_.find(most); known != pools_.end()) return known->second.get();
    const int there = 1 + threads_to_be_had(most - 1);
    if (there == 1) return &in_turn();
    std::unique_ptr<TbbPool>& pool = pools_[there];
    if (!pool) pool = std::make_unique<TbbPool>(there);
    return pool.get();
  }

 private:
  const pid_t owner_ = getpid();
  std::mutex mutex_;
  std::map<int, std::unique_ptr<TbbPool>> pools_;
};

}  // namespace

Result<WorkPool*> built_in_pool(int threads) {
  static constinit MadeOnce<Pools> pools;
  return pools.get([] { return std::make_unique<Pools>(); }).with(threads);
}

}  // namespace pto::jit
