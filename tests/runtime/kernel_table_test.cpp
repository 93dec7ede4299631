// The table of the cache and what a thread remembers of it, without any threads.
#include "runtime/cache/kernel_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "runtime/cache/spec_memo.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/deck.h"

namespace pto::jit {
namespace {

std::unique_ptr<CacheEntry> make_entry(std::int32_t number) {
  static std::atomic<int> alive = 0;
  const CacheKey key = tests::key_numbered(number);
  return std::make_unique<CacheEntry>(key, hash_of(key.spec, key.maker),
                                      tests::make_counted_kernel(alive));
}

const CacheEntry* find(const KernelTable& table, const CacheKey& key) {
  return table.find(hash_of(key.spec, key.maker),
                    [&](const CacheEntry* entry) { return entry->is(key.spec, key.maker); });
}

TEST(CacheKey, EveryByteCounts) {
  const CacheKey key = tests::key_numbered(1);
  for (std::size_t i = 0; i < sizeof key; ++i) {
    CacheKey other = key;
    reinterpret_cast<unsigned char*>(&other)[i] ^= 1;
    EXPECT_NE(hash_of(other.spec, other.maker), hash_of(key.spec, key.maker)) << i;
    EXPECT_FALSE(make_entry(1)->is(other.spec, other.maker)) << i;
  }
}

// Against a plain set of flags, seed 2, with a table that is as full as it may be.
TEST(KernelTable, FindsWhatIsInItAndNothingElse) {
  constexpr int kNumbers = 96;
  KernelTable table(64);
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
      inside[number] = make_entry(static_cast<std::int32_t>(number));
      table.insert(*inside[number]);
      ++count;
    }
    for (std::size_t i = 0; i < kNumbers; i += 7) {
      const CacheKey key = tests::key_numbered(static_cast<std::int32_t>(i));
      ASSERT_EQ(find(table, key), inside[i].get()) << step;
    }
  }
}

TEST(KernelTable, GoesOnAfterAnEntryThatIsNotAccepted) {
  KernelTable table(4);
  const std::unique_ptr<CacheEntry> first = make_entry(1);
  const auto second =
      std::make_unique<CacheEntry>(tests::key_numbered(2), first->hash, first->kernel);
  table.insert(*first);
  table.insert(*second);
  const auto accept_second = [&](const CacheEntry* entry) { return entry == second.get(); };
  EXPECT_EQ(table.find(first->hash, accept_second), second.get());
  EXPECT_EQ(table.find(first->hash, [](const CacheEntry*) { return false; }), nullptr);
}

TEST(SpecMemo, KnowsAddressesUntilItForgets) {
  const std::unique_ptr<CacheEntry> entry = make_entry(1);
  const KernelSpec spec = tests::spec_numbered(1);
  SpecMemo memo;
  EXPECT_EQ(memo.entry_of(&spec), nullptr);
  memo.note(&spec, *entry);
  EXPECT_EQ(memo.entry_of(&spec), entry.get());
  EXPECT_EQ(memo.entry_of(&spec + 1), nullptr);
  memo.forget();
  EXPECT_EQ(memo.entry_of(&spec), nullptr);
}

TEST(SpecMemo, GrowsWithWhatIsNoted) {
  const std::unique_ptr<CacheEntry> entry = make_entry(1);
  const std::vector<KernelSpec> specs(4096);
  SpecMemo memo;
  for (int round = 0; round < 3; ++round) {
    for (const KernelSpec& spec : specs) memo.note(&spec, *entry);
  }
  const auto is_known = [&](const KernelSpec& spec) { return memo.entry_of(&spec) != nullptr; };
  EXPECT_GT(std::ranges::count_if(specs, is_known), 2048);
}

}  // namespace
}  // namespace pto::jit
