// The cache as one thread sees it: limits, order, failures, letting go.
#include "runtime/cache/kernel_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ir/canonical.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/sanitized.h"

namespace pto::jit {
namespace {

using tests::key_numbered;
using tests::spec_numbered;

constexpr std::uint64_t kMaker = 7;  // as in key_numbered

class KernelCacheTest : public ::testing::Test {
 protected:
  std::atomic<int> alive = 0;
  int made = 0;

  Kernel get(KernelCache& cache, std::int32_t number, std::size_t footprint = 64) {
    return *cache.get_or_make(key_numbered(number), [&]() -> Result<Kernel> {
      ++made;
      return tests::make_counted_kernel(alive, footprint);
    });
  }
  static bool has(KernelCache& cache, std::int32_t number) {
    return cache.borrow(spec_numbered(number), kMaker) != nullptr;
  }
};

TEST_F(KernelCacheTest, MakesAKernelOnce) {
  KernelCache cache;
  const Kernel first = get(cache, 1);
  EXPECT_EQ(get(cache, 1), first);
  EXPECT_EQ(*cache.borrow(spec_numbered(1), kMaker), first);
  EXPECT_EQ(cache.find(spec_numbered(1), kMaker), first);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(cache.borrow(spec_numbered(2), kMaker), nullptr);
}

TEST_F(KernelCacheTest, TheMakerIsPartOfTheKey) {
  KernelCache cache;
  get(cache, 1);
  EXPECT_EQ(cache.borrow(spec_numbered(1), kMaker + 1), nullptr);
}

TEST_F(KernelCacheTest, FindsSpecsAsTheyWereWritten) {
  KernelCache cache;
  const Kernel kernel = get(cache, 1);
  KernelSpec written = spec_numbered(1);
  written.table.strides = {2080, 2080, 2080, 32, 1};  // packed, but said
  ASSERT_NE(written, spec_numbered(1));
  ASSERT_EQ(canonical(written), spec_numbered(1));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*cache.borrow(written, kMaker), kernel);
  written.table.shape[3] = 63;
  EXPECT_EQ(cache.borrow(written, kMaker), nullptr);
}

TEST_F(KernelCacheTest, ASpecMayChangeWhereItIs) {
  KernelCache cache;
  const Kernel one = get(cache, 1);
  const Kernel two = get(cache, 2);
  KernelSpec spec;
  for (int i = 0; i < 3; ++i) {
    spec = spec_numbered(1);
    EXPECT_EQ(*cache.borrow(spec, kMaker), one);
    EXPECT_EQ(cache.borrow(spec, kMaker + 1), nullptr);
    spec = spec_numbered(2);
    EXPECT_EQ(*cache.borrow(spec, kMaker), two);
    spec = spec_numbered(3);
    EXPECT_EQ(cache.borrow(spec, kMaker), nullptr);
  }
}

TEST_F(KernelCacheTest, EveryByteOfASpecCounts) {
  KernelCache cache;
  const KernelSpec spec = spec_numbered(1);
  get(cache, 1);
  ASSERT_TRUE(cache.borrow(spec, kMaker));
  for (std::size_t i = offsetof(KernelSpec, data); i < offsetof(KernelSpec, store); ++i) {
    KernelSpec other = spec;
    reinterpret_cast<unsigned char*>(&other)[i] ^= 1;
    if (canonical(other) == spec) continue;
    EXPECT_EQ(cache.borrow(other, kMaker), nullptr) << i;
  }
}

TEST_F(KernelCacheTest, StaysWithinItsEntries) {
  KernelCache cache({.entries = 10});
  for (std::int32_t i = 0; i < 100; ++i) {
    get(cache, i);
    EXPECT_LE(cache.statistics().entries, 10U);
  }
  EXPECT_EQ(cache.statistics().entries, 10U);
  EXPECT_EQ(cache.statistics().evictions, 90U);
  for (std::int32_t i = 90; i < 100; ++i) EXPECT_TRUE(has(cache, i));
}

TEST_F(KernelCacheTest, StaysWithinItsBytes) {
  KernelCache cache({.bytes = 1000});
  for (std::int32_t i = 0; i < 5; ++i) get(cache, i, 200);
  EXPECT_EQ(cache.statistics().bytes, 1000U);
  get(cache, 5, 500);
  EXPECT_EQ(cache.statistics().bytes, 900U);
  EXPECT_FALSE(has(cache, 0) || has(cache, 1) || has(cache, 2));
  EXPECT_TRUE(has(cache, 3) && has(cache, 4) && has(cache, 5));
}

TEST_F(KernelCacheTest, AKernelLargerThanTheCacheIsNotKept) {
  KernelCache cache({.bytes = 1000});
  get(cache, 1, 400);
  get(cache, 2, 1001);
  EXPECT_TRUE(has(cache, 1));
  EXPECT_FALSE(has(cache, 2));
  EXPECT_EQ(alive, 1);
}

TEST_F(KernelCacheTest, WithoutEntriesEveryCallMakes) {
  KernelCache cache({.entries = 0});
  get(cache, 1);
  get(cache, 1);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(alive, 0);
}

TEST_F(KernelCacheTest, DropsWhatWasUsedLongestAgo) {
  KernelCache cache({.entries = 3});
  get(cache, 1);
  get(cache, 2);
  get(cache, 3);
  EXPECT_TRUE(has(cache, 1));
  get(cache, 4);
  EXPECT_FALSE(has(cache, 2));
  EXPECT_TRUE(has(cache, 1));
  get(cache, 5);
  EXPECT_FALSE(has(cache, 3));
  EXPECT_TRUE(has(cache, 1) && has(cache, 4) && has(cache, 5));
}

// Ten thousand kernels fit with nothing said.
TEST_F(KernelCacheTest, TheDefaultLimitsSufficeForManyKernels) {
  KernelCache cache;
  for (std::int32_t i = 0; i < 10000; ++i) get(cache, i, 4096);
  EXPECT_EQ(cache.statistics().entries, 10000U);
}

TEST_F(KernelCacheTest, ForgetsFailures) {
  KernelCache cache;
  const auto fail = [&]() -> Result<Kernel> {
    ++made;
    return error("test.failure", "not today");
  };
  for (int i = 0; i < 2; ++i) {
    const Result<Kernel> failure = cache.get_or_make(key_numbered(1), fail);
    ASSERT_FALSE(failure);
    EXPECT_EQ(failure.error().front().id, "test.failure");
  }
  EXPECT_EQ(made, 2);
  EXPECT_EQ(cache.statistics().failures, 2U);
  EXPECT_EQ(cache.statistics().entries, 0U);
  get(cache, 1);
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(KernelCacheTest, WhatAMakerThrowsIsAFailure) {
  KernelCache cache;
  const Result<Kernel> failure = cache.get_or_make(
      key_numbered(1), []() -> Result<Kernel> { throw std::runtime_error("out of labels"); });
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().front().id, "cache.maker");
  EXPECT_NE(failure.error().front().message.find("out of labels"), std::string::npos);
  get(cache, 1);
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(KernelCacheTest, AMakerMayUseTheCache) {
  KernelCache cache;
  const Result<Kernel> kernel =
      cache.get_or_make(key_numbered(1), [&]() -> Result<Kernel> { return get(cache, 2); });
  ASSERT_TRUE(kernel);
  EXPECT_EQ(get(cache, 2), *kernel);
}

TEST_F(KernelCacheTest, AnEvictedKernelLivesWhileItIsHeld) {
  KernelCache cache({.entries = 1});
  std::optional<Kernel> held = get(cache, 1);
  get(cache, 2);
  EXPECT_FALSE(has(cache, 1));
  EXPECT_EQ(alive, 2);
  (*held)(Frame{});
  held.reset();
  EXPECT_EQ(alive, 1);
}

TEST_F(KernelCacheTest, ABorrowedKernelSurvivesClear) {
  KernelCache cache;
  get(cache, 1);
  const Kernel* borrowed = cache.borrow(spec_numbered(1), kMaker);
  std::thread([&] { cache.clear(); }).join();
  EXPECT_EQ(cache.statistics().entries, 0U);
  EXPECT_EQ(alive, 1);
  (*borrowed)(Frame{});
  EXPECT_FALSE(has(cache, 1));
  EXPECT_EQ(alive, 0);
}

TEST_F(KernelCacheTest, AThreadLetsGoOfWhatWasEvicted) {
  KernelCache cache({.entries = 4});
  for (std::int32_t i = 0; i < 4; ++i) {
    get(cache, i);
    EXPECT_TRUE(has(cache, i));
  }
  for (std::int32_t i = 4; i < 8; ++i) get(cache, i);
  EXPECT_TRUE(has(cache, 7));
  EXPECT_EQ(alive, 4);
}

TEST_F(KernelCacheTest, OnlyOneInSixtyFourWaitsForTheNextBatch) {
  KernelCache cache({.entries = 640});
  for (std::int32_t i = 0; i < 2000; ++i) {
    get(cache, i);
    EXPECT_TRUE(has(cache, i));
    ASSERT_LE(alive, 640 + 10);
  }
}

TEST_F(KernelCacheTest, AThreadThatEndsLetsGo) {
  KernelCache cache;
  get(cache, 1);
  std::thread([&] {
    ASSERT_TRUE(has(cache, 1));
    cache.clear();
    EXPECT_EQ(alive, 1);
  }).join();
  EXPECT_EQ(alive, 0);
}

TEST_F(KernelCacheTest, ClearKeepsTheCacheUsable) {
  KernelCache cache;
  for (std::int32_t i = 0; i < 100; ++i) get(cache, i);
  cache.clear();
  EXPECT_FALSE(has(cache, 1));
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(cache.statistics().entries, 0U);
  EXPECT_EQ(cache.statistics().bytes, 0U);
  EXPECT_EQ(cache.statistics().evictions, 0U);
  get(cache, 1);
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(KernelCacheTest, CachesDoNotMix) {
  KernelCache one;
  get(one, 1);
  {
    KernelCache other;
    EXPECT_FALSE(has(other, 1));
    get(other, 1);
    for (int i = 0; i < 3; ++i) EXPECT_NE(*one.borrow(spec_numbered(1), kMaker), get(other, 1));
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 1);
}

TEST_F(KernelCacheTest, AThreadLetsGoOfACacheThatIsGone) {
  auto cache = std::make_unique<KernelCache>();
  std::atomic<int> step = 0;
  std::thread other([&] {
    get(*cache, 1);
    EXPECT_TRUE(has(*cache, 1));
    step = 1;
    while (step == 1) std::this_thread::yield();
    EXPECT_EQ(alive, 1);
    KernelCache next;
    EXPECT_FALSE(has(next, 1));
    EXPECT_EQ(alive, 0);
  });
  while (step == 0) std::this_thread::yield();
  cache.reset();
  step = 2;
  other.join();
}

TEST_F(KernelCacheTest, CountsWhatItDoes) {
  KernelCache cache({.entries = 2});
  get(cache, 1, 100);  // miss
  get(cache, 1, 100);  // hit
  std::thread([&] { has(cache, 1); }).join();
  has(cache, 2);
  get(cache, 2, 50);
  get(cache, 3, 50);  // in place of the second, which was not used again
  EXPECT_FALSE(cache.get_or_make(key_numbered(4),
                                 []() -> Result<Kernel> { return error("test.failure", "no"); }));
  const CacheStatistics expected = {
      .hits = 2, .misses = 4, .evictions = 1, .failures = 1, .entries = 2, .bytes = 150};
  const CacheStatistics counted = cache.statistics();
  EXPECT_EQ(counted, expected) << counted.hits << ' ' << counted.misses << ' ' << counted.evictions;
}

TEST_F(KernelCacheTest, AThreadMayUseMoreSpecsThanItRemembers) {
  KernelCache cache({.entries = 20000});
  std::vector<KernelSpec> specs;
  for (std::int32_t i = 0; i < 20000; ++i) {
    get(cache, i);
    specs.push_back(spec_numbered(i));
  }
  for (int round = 0; round < 3; ++round) {
    for (const KernelSpec& spec : specs) ASSERT_TRUE(cache.borrow(spec, kMaker));
  }
  EXPECT_EQ(made, 20000);
}

TEST_F(KernelCacheTest, ResidentMemoryStaysFlat) {
  CodeArena arena;
  KernelCache cache({.entries = 100});
  const auto cycle = [&](std::int32_t times) {
    for (std::int32_t i = 0; i < times; ++i) {
      ASSERT_TRUE(cache.get_or_make(key_numbered(i), [&]() -> Result<Kernel> {
        return make_code_kernel(*arena.publish(tests::code_storing(i)), Backend::Xbyak, "tiny");
      }));
      ASSERT_TRUE(has(cache, i));
    }
  };
  cycle(2000);
  const std::size_t before = tests::resident_bytes();
  cycle(100000);
  EXPECT_LE(arena.statistics().blocks, 102U);
  const std::size_t allowed = std::size_t{512} << 10;
  EXPECT_TRUE(tests::kIsSanitized || tests::resident_bytes() <= before + allowed);
}

}  // namespace
}  // namespace pto::jit
