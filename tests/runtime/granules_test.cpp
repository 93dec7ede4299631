#include "runtime/code/granules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/deck.h"

namespace pto::jit {
namespace {

TEST(Granules, AreTakenFromTheFront) {
  Granules granules(200);
  EXPECT_EQ(granules.take(3), 0U);
  EXPECT_EQ(granules.take(100), 3U);
  EXPECT_EQ(granules.take(97), 103U);
  EXPECT_EQ(granules.take(1), std::nullopt);
}

TEST(Granules, NeighboursGivenBackAreOneRun) {
  Granules granules(130);
  ASSERT_EQ(granules.take(60), 0U);
  ASSERT_EQ(granules.take(10), 60U);
  ASSERT_EQ(granules.take(60), 70U);
  EXPECT_EQ(granules.take(1), std::nullopt);
  granules.give_back(60, 10);
  granules.give_back(0, 60);
  EXPECT_EQ(granules.take(71), std::nullopt);
  EXPECT_EQ(granules.take(70), 0U);
}

TEST(Granules, AFailureIsForgottenWhenMemoryComesBack) {
  Granules granules(64);
  ASSERT_TRUE(granules.take(64));
  EXPECT_EQ(granules.take(1), std::nullopt);
  granules.give_back(63, 1);
  EXPECT_EQ(granules.take(2), std::nullopt);
  EXPECT_EQ(granules.take(1), 63U);
}

// Against a plain array of flags, seed 1.
TEST(Granules, NeverHandOutWhatIsTaken) {
  struct Run {
    std::size_t first;
    std::size_t count;
  };
  constexpr std::size_t kCount = 517;
  Granules granules(kCount);
  std::vector<bool> taken(kCount);
  std::vector<Run> runs;
  tests::Random random(1);
  for (int step = 0; step < 20000; ++step) {
    if (!runs.empty() && random.below(2) == 0) {
      const std::size_t at = random.below(runs.size());
      granules.give_back(runs[at].first, runs[at].count);
      std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(runs[at].first), runs[at].count,
                  false);
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const std::size_t count = 1 + random.below(90);
    const auto free_run = std::search_n(taken.begin(), taken.end(), count, false);
    const auto first = granules.take(count);
    ASSERT_EQ(first.has_value(), free_run != taken.end()) << step;
    if (!first) continue;
    ASSERT_EQ(*first, static_cast<std::size_t>(free_run - taken.begin())) << step;
    std::fill_n(free_run, count, true);
    runs.push_back({*first, count});
  }
}

}  // namespace
}  // namespace pto::jit
