// The cache under several threads. Worth running under the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cache/kernel_cache.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/deck.h"

namespace pto::jit {
namespace {

using tests::key_numbered;
using tests::spec_numbered;

constexpr std::uint64_t kMaker = 7;
constexpr int kThreads = 8;

template <class Body>
void run_threads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int t = 0; t < count; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

void wait_until(const std::atomic<int>& value, int wanted) {
  while (value < wanted) std::this_thread::yield();
}

TEST(KernelCacheThreads, OneMakesAndTheOthersWait) {
  KernelCache cache;
  std::atomic<int> alive = 0;
  std::atomic<int> made = 0;
  std::barrier start(kThreads);
  std::vector<std::optional<Kernel>> kernels(kThreads);
  run_threads(kThreads, [&](int t) {
    start.arrive_and_wait();
    kernels[static_cast<std::size_t>(t)] = *cache.get_or_make(key_numbered(1), [&] {
      ++made;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return Result<Kernel>(tests::make_counted_kernel(alive));
    });
  });
  EXPECT_EQ(made, 1);
  for (const auto& kernel : kernels) EXPECT_EQ(kernel, kernels[0]);
  EXPECT_EQ(cache.statistics().misses, 1U);
  EXPECT_EQ(cache.statistics().hits, 7U);
}

// Each maker waits for the other: neither could finish if they ran one after the other.
TEST(KernelCacheThreads, DifferentKernelsAreMadeInParallel) {
  KernelCache cache;
  std::atomic<int> alive = 0;
  std::atomic<int> started = 0;
  run_threads(2, [&](int t) {
    EXPECT_TRUE(cache.get_or_make(key_numbered(t), [&] {
      ++started;
      wait_until(started, 2);
      return Result<Kernel>(tests::make_counted_kernel(alive));
    }));
  });
  EXPECT_EQ(cache.statistics().misses, 2U);
}

TEST(KernelCacheThreads, WaitersShareAFailureThatIsThenForgotten) {
  KernelCache cache;
  std::atomic<int> alive = 0;
  std::atomic<int> failures = 0;
  std::barrier start(kThreads);
  run_threads(kThreads, [&](int) {
    start.arrive_and_wait();
    const Result<Kernel> result = cache.get_or_make(key_numbered(1), []() -> Result<Kernel> {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return error("test.failure", "not today");
    });
    failures += !result && result.error().front().id == "test.failure";
  });
  EXPECT_EQ(failures, kThreads);
  EXPECT_TRUE(cache.get_or_make(key_numbered(1),
                                [&] { return Result<Kernel>(tests::make_counted_kernel(alive)); }));
}

// Hits go on while the only lock of the cache is busy: every maker is stuck, every waiter waits.
TEST(KernelCacheThreads, HitsDoNotWaitForMakers) {
  KernelCache cache;
  std::atomic<int> alive = 0;
  const auto make = [&] { return Result<Kernel>(tests::make_counted_kernel(alive)); };
  ASSERT_TRUE(cache.get_or_make(key_numbered(1), make));
  std::atomic<int> entered = 0;
  std::atomic<int> leave = 0;
  std::thread maker([&] {
    EXPECT_TRUE(cache.get_or_make(key_numbered(2), [&] {
      ++entered;
      wait_until(leave, 1);
      return make();
    }));
  });
  wait_until(entered, 1);
  for (int i = 0; i < 1000; ++i) EXPECT_NE(cache.borrow(spec_numbered(1), kMaker), nullptr);
  leave = 1;
  maker.join();
}

TEST(KernelCacheThreads, CompileCallAndEvictAtOnce) {
  if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  constexpr std::int32_t kNumbers = 64;
  constexpr int kSteps = 4000;
  CodeArena arena;
  std::atomic<int> wrong = 0;
  {
    KernelCache cache({.entries = 24});
    const auto make = [&](std::int32_t number) -> Result<Kernel> {
      Result<CodeBlock> block = arena.publish(tests::code_storing(number));
      if (!block) return block.error();
      return make_code_kernel(*std::move(block), Backend::Xbyak, "tiny");
    };
    run_threads(kThreads, [&](int t) {
      tests::Random random(static_cast<std::uint64_t>(t));
      for (int step = 0; step < kSteps; ++step) {
        const auto number = static_cast<std::int32_t>(random.below(kNumbers));
        if (const Kernel* borrowed = cache.borrow(spec_numbered(number), kMaker)) {
          wrong += tests::number_of(*borrowed) != number;
        }
        const Result<Kernel> kernel =
            cache.get_or_make(key_numbered(number), [&] { return make(number); });
        wrong += !kernel || tests::number_of(*kernel) != number;
        if (t == 0 && step % 500 == 0) cache.clear();
        if (t == 1 && step % 100 == 0) wrong += cache.statistics().entries > 24;
      }
    });
    EXPECT_EQ(wrong, 0);
    const CacheStatistics counted = cache.statistics();
    EXPECT_GT(counted.evictions, 0U);
    EXPECT_GE(counted.hits + counted.misses, std::uint64_t{kThreads} * kSteps);
  }
  EXPECT_EQ(arena.statistics().blocks, 0U);
}

// One thread calls what it has borrowed while others see to it that the cache drops it.
TEST(KernelCacheThreads, ABorrowedKernelOutlivesItsEviction) {
  if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  CodeArena arena;
  KernelCache cache({.entries = 1});
  const auto get = [&](std::int32_t number) {
    return cache.get_or_make(key_numbered(number), [&]() -> Result<Kernel> {
      return make_code_kernel(*arena.publish(tests::code_storing(number)), Backend::Xbyak, "tiny");
    });
  };
  const KernelSpec spec = spec_numbered(0);
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 200; ++round) {
    static_cast<void>(get(0));
    const Kernel* borrowed = cache.borrow(spec, kMaker);
    ASSERT_NE(borrowed, nullptr);
    std::thread other([&] {
      for (std::int32_t i = 1; i < 5; ++i) static_cast<void>(get(i));
    });
    for (int call = 0; call < 50; ++call) wrong += tests::number_of(*borrowed) != 0;
    other.join();
    wrong += tests::number_of(*borrowed) != 0;
    EXPECT_EQ(arena.statistics().blocks, 2U);  // the borrowed one and the one that is cached
  }
  EXPECT_EQ(wrong, 0);
}

TEST(KernelCacheThreads, ReadersMeetEntriesThatComeAndGo) {
  KernelCache cache({.entries = 2});
  std::atomic<int> alive = 0;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (std::int32_t i = 0; i < 5000; ++i) {
      static_cast<void>(cache.get_or_make(
          key_numbered(i % 5), [&] { return Result<Kernel>(tests::make_counted_kernel(alive)); }));
    }
    stop = true;
  });
  run_threads(3, [&](int) {
    for (std::int32_t i = 0; !stop; ++i) {
      if (const Kernel* kernel = cache.borrow(spec_numbered(i % 5), kMaker)) (*kernel)(Frame{});
    }
  });
  writer.join();
  cache.clear();
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace pto::jit
