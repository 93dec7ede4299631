#include "runtime/parallel/work_pool.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace pto::jit {
namespace {

class InTurn final : public WorkPool {
 public:
  int threads() const override { return 1; }
  void run(int parts, const std::function<void(int)>& part) override {
    for (int number = 0; number < parts; ++number) part(number);
  }
};

}  // namespace

WorkPool& in_turn() {
  static InTurn pool;
  return pool;
}

int usable_threads() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

#if !defined(PTOJIT_HAS_TBB)
Result<WorkPool*> built_in_pool(int) {
  return error("parallel.pool",
               "this library was built without oneTBB (Debian: libtbb-dev); several threads need a "
               "pool of the caller's");
}
#endif

}  // namespace pto::jit
