// Parts on oneTBB's threads. An arena for each number of threads that was asked for, kept for the
// process's life: its threads sleep between calls.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/made_once.h"
#include "runtime/parallel/work_pool.h"

namespace pto::jit {
namespace {

class TbbPool final : public WorkPool {
 public:
  // More than there are processors would be refused, on standard error.
  explicit TbbPool(int threads)
      : arena_(std::min(threads, tbb::this_task_arena::max_concurrency())) {}

  int threads() const override { return arena_.max_concurrency(); }
  void run(int parts, const std::function<void(int)>& part) override {
    arena_.execute([&] {
      tbb::parallel_for(0, parts, [&](int number) { part(number); }, tbb::simple_partitioner());
    });
  }

 private:
  tbb::task_arena arena_;
};

// A fork leaves the child without the threads, and with arenas that wait for them.
class Pools {
 public:
  WorkPool* with(int threads) {
    if (getpid() != owner_) return &in_turn();
    const std::lock_guard lock(mutex_);
    std::unique_ptr<TbbPool>& pool = pools_[threads];
    if (!pool) pool = std::make_unique<TbbPool>(threads);
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
