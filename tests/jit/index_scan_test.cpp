// Indices looked through by vectors: the answer is that of a plain loop, whatever their number,
// their width and the place of the one that is wrong.
#include "jit/calls/index_scan.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kMost = 70;

template <class Index>
void expect_found_everywhere(std::uint64_t limit, Index wrong) {
  for (std::int64_t count = 0; count <= kMost; ++count) {
    std::vector<Index> indices(static_cast<std::size_t>(count), static_cast<Index>(limit - 1));
    const IndexRun run{indices.data(), count, sizeof(Index)};
    EXPECT_TRUE(all_inside(run, {.limit = limit})) << count;
    for (Index& index : indices) {
      const Index right = std::exchange(index, wrong);
      EXPECT_FALSE(all_inside(run, {.limit = limit})) << count << " at " << &index - &indices[0];
      index = right;
    }
  }
}

TEST(IndexScan, FindsTheOneThatIsOutOfRangeWhereverItStands) {
  expect_found_everywhere<std::uint16_t>(100, 100);
  expect_found_everywhere<std::uint16_t>(100, 0xFFFF);
  expect_found_everywhere<std::uint32_t>(100, 100);
  expect_found_everywhere<std::uint32_t>(0xFFFFFFFF, 0xFFFFFFFF);
  expect_found_everywhere<std::uint32_t>(0x80000000, 0x80000000);
  expect_found_everywhere<std::uint64_t>(100, 100);
  expect_found_everywhere<std::uint64_t>(1U << 31, ~std::uint64_t{0});
}

TEST(IndexScan, LetsNothingPassALimitOfZeroAndEverythingOneBeyondAllIndices) {
  const std::vector<std::uint32_t> indices = {0, 0xFFFFFFFF};
  const IndexRun run{indices.data(), 2, 4};
  EXPECT_FALSE(all_inside(run, {.limit = 0}));
  EXPECT_TRUE(all_inside({indices.data(), 0, 4}, {.limit = 0}));
  EXPECT_TRUE(all_inside(run, {.limit = std::uint64_t{1} << 32}));
  EXPECT_TRUE(all_inside(run, {.limit = ~std::uint64_t{0}}));
}

TEST(IndexScan, NarrowsAndSaysWhetherAllWereInRange) {
  const IndexRange words{.limit = (std::uint64_t{3} << 31), .bias = std::uint64_t{1} << 31};
  for (const std::int64_t wrong : {std::int64_t{1} << 32, -(std::int64_t{1} << 31) - 1}) {
    for (std::size_t at = 0; at < kMost; ++at) {
      std::vector<std::int64_t> wide(kMost, -1);
      wide[0] = (std::int64_t{1} << 32) - 1;
      wide[1] = -(std::int64_t{1} << 31);
      std::vector<std::uint32_t> narrow(kMost);
      const IndexRun run{wide.data(), kMost, 8};
      EXPECT_TRUE(all_inside(run, words));
      ASSERT_TRUE(narrow_indices(run, words, narrow.data()));
      EXPECT_EQ(narrow[0], 0xFFFFFFFF);
      EXPECT_EQ(narrow[1], 0x80000000);
      EXPECT_EQ(narrow[kMost - 1], 0xFFFFFFFF);
      wide[at] = wrong;
      EXPECT_FALSE(all_inside(run, words)) << at;
      EXPECT_FALSE(narrow_indices(run, words, narrow.data())) << at;
    }
  }
}

}  // namespace
}  // namespace pto::jit::tests
