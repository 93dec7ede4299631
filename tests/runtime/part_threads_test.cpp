// Parts of one call at the same time, by the interpreter, which the thread sanitizer sees through;
// and the pools.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <set>
#include <vector>

#include "ir/interpreter.h"
#include "ir/parts.h"
#include "ir/spec_text.h"
#include "jit/calls/parallel/parallel_run.h"
#include "targets/planner.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/denied_calls.h"
#include "tests/support/thread_pool.h"

namespace pto::jit::tests {
namespace {

// A call on memory of its own.
struct Call {
  explicit Call(const char* text)
      : legal(*verify(*parse(text))), plan(make_plan(legal)), frame(frame_of(legal.spec())) {
    std::uint32_t state = 12345;
    for (std::uint32_t& index : indices) index = (state = state * 1664525u + 1013904223u) >> 18;
    for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<std::uint16_t>(i * 7919);
    frame.tile = tile.data();
    frame.index = indices.data();
    frame.table = table.data();
  }

  LegalSpec legal;
  KernelPlan plan;
  Frame frame;
  std::vector<std::uint32_t> indices = std::vector<std::uint32_t>(8192);
  std::vector<std::uint16_t> tile = std::vector<std::uint16_t>(8192);
  std::vector<std::uint16_t> table = std::vector<std::uint16_t>(16384, 0x3c00);
};

constexpr std::array kCalls = {
    "a5:mscatter.elem.skip.atomic_add src=f16[8x1024] idx=u32[8x1024] table=f16[1x8000]",
    "a5:mscatter.elem.wrap src=u16[8x1024] idx=u32[8x1024] table=u16[1x100]",
    "a5:mgather.elem.zero dst=u16[8x1024] idx=u32[8x1024] table=u16[1x9000]",
    "a2a3:mscatter.elem.clamp.atomic_add src=i16[8x1024] idx=u32[8x1024] table=i16[1x17]",
};

TEST(PartThreads, LeaveWhatOneThreadLeaves) {
  for (const char* text : kCalls) {
    Call alone(text);
    interpret(alone.plan, alone.frame);
    for (const int parts : {2, 7, 64}) {
      Call shared(text);
      ThreadPool pool(8);
      const Result<Done> done = run_parallel(
          shared.legal, shared.plan, shared.frame,
          {{.threads = 8, .parts = parts, .pool = &pool}, {.backend = Backend::Interpreter}});
      ASSERT_TRUE(done) << render(done.error());
      EXPECT_GT(pool.ran(), 1);
      EXPECT_EQ(shared.table, alone.table) << text << ", " << parts << " parts";
      EXPECT_EQ(shared.tile, alone.tile) << text << ", " << parts << " parts";
    }
  }
}

TEST(PartThreads, AreThoseOfThePoolThatWasGiven) {
  Call small(kCalls[0]);
  ThreadPool pool(3);
  ASSERT_TRUE(invoke(small.legal.spec(), small.frame,
                     InvokeOptions{.parallel = {.threads = 0, .pool = &pool}}));
  EXPECT_EQ(pool.ran(), 0) << "a move of 16 KB stays with its caller";
  ASSERT_TRUE(invoke(small.legal.spec(), small.frame,
                     InvokeOptions{.parallel = {.threads = 0, .parts = 5, .pool = &pool}}));
  EXPECT_EQ(pool.ran(), 5);
}

TEST(PartThreads, OfTheBuiltInPoolRunEveryPartOnce) {
  const Result<WorkPool*> pool = built_in_pool(4);
  if (!pool) GTEST_SKIP() << render(pool.error());
  std::vector<std::atomic<int>> ran(1000);
  (*pool)->run(1000, [&](int number) { ++ran[static_cast<std::size_t>(number)]; });
  for (const std::atomic<int>& times : ran) EXPECT_EQ(times, 1);
  EXPECT_LE((*pool)->threads(), 4);
  EXPECT_GE((*pool)->threads(), 1);
}

bool leaves_the_same(int threads) {
  Call call(kCalls[1]);
  Call alone(kCalls[1]);
  interpret(alone.plan, alone.frame);
  const auto done =
      run_parallel(call.legal, call.plan, call.frame, {{.threads = threads, .parts = 6}, {}});
  return done && call.table == alone.table;
}

// In a process that has used no pool yet. One without oneTBB has none to do without.
#define EXPECT_HOLDS_ANEW(condition) \
  EXPECT_EXIT(::_exit((condition) || !built_in_pool(2) ? 0 : 1), ::testing::ExitedWithCode(0), "")

bool deny_threads() { return deny_calls({SYS_clone, SYS_clone3}, EAGAIN); }

// `count` for the process's user, who is none that has other processes.
bool limit_threads(rlim_t count) {
  const rlimit limit = {.rlim_cur = count, .rlim_max = count};
  const uid_t nobody = 61'234;
  return ::setrlimit(RLIMIT_NPROC, &limit) == 0 && ::setresuid(nobody, nobody, nobody) == 0;
}

TEST(PartThreadsDeathTest, ThatCannotBeMadeAreDoneWithout) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_HOLDS_ANEW(deny_threads() && leaves_the_same(0) && leaves_the_same(2));
  EXPECT_HOLDS_ANEW(built_in_pool(2) && deny_threads() && leaves_the_same(2) && leaves_the_same(3))
      << "the pool is there, its threads are not";
}

bool has_at_most(int threads, int most) {
  const Result<WorkPool*> pool = built_in_pool(threads);
  return pool && (*pool)->threads() <= most;
}

TEST(PartThreadsDeathTest, AreNoMoreThanTheUserMayHave) {
  if (::geteuid() != 0) GTEST_SKIP() << "only the superuser becomes another user";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_HOLDS_ANEW(limit_threads(1) && has_at_most(2, 1) && leaves_the_same(2));
  EXPECT_HOLDS_ANEW(limit_threads(2) && has_at_most(8, 2) && leaves_the_same(8));
}

// The parent's threads are not there any more.
TEST(PartThreads, AreNotWaitedForInAForkedChild) {
  const Result<WorkPool*> pool = built_in_pool(2);
  if (!pool) GTEST_SKIP() << render(pool.error());
  const auto count = [&] {
    std::atomic<int> ran = 0;
    (*built_in_pool(2))->run(64, [&](int) { ++ran; });
    return ran.load();
  };
  EXPECT_EQ(count(), 64);
  EXPECT_TRUE(holds_in_child([&] { return count() == 64; }));
  EXPECT_TRUE(holds_in_child([] { return leaves_the_same(2); }));
}

}  // namespace
}  // namespace pto::jit::tests
