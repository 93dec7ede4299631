// A fence on the process that the system refuses once the cache is in use: nothing is deleted that
// a thread may be reading, nothing aborts, and memory comes back once all threads fence themselves.
#include "runtime/cache/process_fence.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <semaphore>
#include <thread>

#include "runtime/cache/kernel_cache.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/denied_calls.h"

namespace pto::jit::tests {
namespace {

constexpr int kEntries = 64;

bool deny_fences() { return deny_calls({SYS_membarrier}, EPERM); }

void make(KernelCache& cache, int from, int count, std::atomic<int>& alive) {
  for (int i = from; i < from + count; ++i)
    static_cast<void>(cache.get_or_make(
        key_numbered(i), [&] { return Result<Kernel>(make_counted_kernel(alive)); }));
}

class ProcessFence : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!holds_in_child([] { return deny_fences(); }))
      GTEST_SKIP() << "this host lets no process refuse its own system calls, as emulators do not";
  }
};

TEST_F(ProcessFence, RefusedLaterIsNoneAnyMore) {
  if (!has_process_fence()) GTEST_SKIP() << "the system has none";
  EXPECT_TRUE(fence_process());
  EXPECT_TRUE(holds_in_child([] { return deny_fences() && !fence_process(); }));
}

TEST_F(ProcessFence, RefusedLaterLeavesACacheThatEvicts) {
  EXPECT_TRUE(holds_in_child([] {
    std::atomic<int> alive = 0;
    KernelCache cache({.entries = kEntries});
    make(cache, 0, kEntries, alive);
    if (!deny_fences()) return false;
    make(cache, kEntries, 10 * kEntries, alive);
    return cache.statistics().evictions == 10 * kEntries && alive <= kEntries + 3;
  }));
}

// It has borrowed a kernel and says nothing of how it announced that.
TEST_F(ProcessFence, RefusedLaterKeepsWhatAnIdleThreadMayRead) {
  EXPECT_TRUE(holds_in_child([] {
    std::atomic<int> alive = 0;
    KernelCache cache({.entries = kEntries});
    make(cache, 0, kEntries, alive);
    std::binary_semaphore has_borrowed(0), may_go_on(0), has_gone_on(0), may_end(0);
    std::thread idle([&] {
      cache.borrow(spec_numbered(0), key_numbered(0).maker);
      has_borrowed.release();
      may_go_on.acquire();
      cache.borrow(spec_numbered(1 << 20), key_numbered(0).maker);
      has_gone_on.release();
      may_end.acquire();
    });
    has_borrowed.acquire();
    bool is_good = deny_fences();
    make(cache, kEntries, 2 * kEntries, alive);
    is_good = is_good && alive == 3 * kEntries;
    may_go_on.release();
    has_gone_on.acquire();
    make(cache, 3 * kEntries, kEntries, alive);
    is_good = is_good && alive <= kEntries + 3;
    may_end.release();
    idle.join();
    return is_good;
  }));
}

}  // namespace
}  // namespace pto::jit::tests
