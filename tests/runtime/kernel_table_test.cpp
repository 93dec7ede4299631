// The table of the cache and the order its entries leave in, without any threads.
#include "runtime/cache/kernel_table.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/cache/recency.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/deck.h"

namespace pto::jit {
namespace {

class Entries {
 public:
  std::unique_ptr<CacheEntry> make(std::int32_t number) {
    const CacheKey key = tests::key_numbered(number);
    Liveness& life = lives.emplace_back();
    life.used = life.stamp = ++stamp_;
    return std::make_unique<CacheEntry>(
        CacheEntry{key, hash_of(key), tests::make_counted_kernel(alive), &life, stamp_});
  }

  std::atomic<int> alive = 0;
  std::deque<Liveness> lives;

 private:
  std::uint64_t stamp_ = 0;
};

TEST(CacheKey, EveryByteCounts) {
  const CacheKey key = tests::key_numbered(1);
  for (std::size_t i = 0; i < sizeof key; ++i) {
    CacheKey other = key;
    reinterpret_cast<unsigned char*>(&other)[i] ^= 1;
    EXPECT_NE(hash_of(other), hash_of(key)) << i;
    EXPECT_NE(std::memcmp(&other, &key, sizeof key), 0) << i;
  }
}

// Against a plain set of flags, seed 2, with a table that is as full as it may be.
TEST(KernelTable, FindsWhatIsInItAndNothingElse) {
  constexpr int kNumbers = 96;
  Entries entries;
  KernelTable table(64);
  Hazard& hazard = take_hazard();
  std::vector<std::unique_ptr<CacheEntry>> inside(kNumbers);
  std::size_t count = 0;
  tests::Random random(2);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t number = random.below(kNumbers);
    if (inside[number]) {
      table.remove(*inside[number]);
      inside[number].reset();
      --count;
    } else if (count < 64) {
      inside[number] = entries.make(static_cast<std::int32_t>(number));
      table.insert(*inside[number]);
      ++count;
    }
    for (std::size_t i = 0; i < kNumbers; i += 7) {
      const CacheKey key = tests::key_numbered(static_cast<std::int32_t>(i));
      ASSERT_EQ(table.find_locked(key), inside[i].get()) << step;
      ASSERT_EQ(table.find(key, hazard).has_value(), inside[i] != nullptr) << step;
    }
  }
  return_hazard(hazard);
}

TEST(KernelTable, WhatWasFoundIsHeld) {
  Entries entries;
  KernelTable table(4);
  Hazard& hazard = take_hazard();
  std::unique_ptr<CacheEntry> entry = entries.make(1);
  table.insert(*entry);
  std::optional<FoundKernel> found = table.find(tests::key_numbered(1), hazard);
  EXPECT_TRUE(found && found->is_cached());
  EXPECT_FALSE(is_announced(entry.get()));
  table.remove(*entry);
  entry.reset();
  EXPECT_EQ(entries.alive, 1);
  found.reset();
  EXPECT_EQ(entries.alive, 0);
  return_hazard(hazard);
}

TEST(Hazard, AnnouncesUntilItIsCleared) {
  Hazard& hazard = take_hazard();
  const int object = 0;
  const std::atomic<const int*> place = &object;
  EXPECT_FALSE(is_announced(&object));
  EXPECT_EQ(announce(hazard, place), &object);
  EXPECT_TRUE(is_announced(&object));
  clear(hazard);
  EXPECT_FALSE(is_announced(&object));
  return_hazard(hazard);
}

TEST(Recency, TheLeastRecentlyUsedGoesFirst) {
  Entries entries;
  Recency recency;
  for (std::int32_t i = 0; i < 4; ++i) recency.add(entries.make(i));
  entries.lives[0].touch(10);
  entries.lives[2].touch(10);
  const auto next = [&] { return recency.take_oldest()->key; };
  EXPECT_EQ(next(), tests::key_numbered(1));
  EXPECT_EQ(next(), tests::key_numbered(3));
  EXPECT_EQ(next(), tests::key_numbered(0));  // as recent as 2, but older
  EXPECT_EQ(next(), tests::key_numbered(2));
  EXPECT_TRUE(recency.is_empty());
}

}  // namespace
}  // namespace pto::jit
