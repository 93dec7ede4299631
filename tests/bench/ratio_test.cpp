// The measuring core of the benchmarks: turns, quantiles, and the indices it is fed with.
#include "bench/ratio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/families/indices.h"

namespace pto::jit::bench {
namespace {

TEST(Ratio, QuantilesAreMembersOfTheSample) {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.25), 2);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 1), 5);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

// Nobody has two turns in a row while others wait, and nobody is always first.
TEST(Ratio, ContestantsTakeTurns) {
  std::string turns;
  const auto contestant = [&](char name) {
    return Contestant{std::string(1, name), [&turns, name](std::int64_t) { turns += name; }};
  };
  const Effort effort = {.repetitions = 3, .repetition = std::chrono::nanoseconds(0)};
  const auto series = take_turns({contestant('a'), contestant('b'), contestant('c')}, effort);
  ASSERT_EQ(series.size(), 3u);
  for (const std::vector<double>& times : series) EXPECT_EQ(times.size(), 3u);
  ASSERT_GE(turns.size(), 9u);
  EXPECT_EQ(turns.substr(turns.size() - 9), "abcbcacab");
}

std::vector<std::uint32_t> made(Indices kind) {
  CellIndices indices(kind, 1024, 5000);
  std::vector<std::uint32_t> out(1024);
  std::ranges::generate(out, [&] { return indices.next(); });
  return out;
}

TEST(Indices, AreWhatTheirNameSays) {
  const auto beyond = [](const std::vector<std::uint32_t>& all) {
    return std::ranges::count_if(all, [](std::uint32_t index) { return index >= 5000; });
  };
  for (const Indices kind : {Indices::Random, Indices::Distinct, Indices::Runs, Indices::Zipf,
                             Indices::Neighbours, Indices::Strided}) {
    EXPECT_EQ(beyond(made(kind)), 0) << name_of(kind);
  }
  const std::vector<std::uint32_t> distinct = made(Indices::Distinct);
  EXPECT_EQ(std::set<std::uint32_t>(distinct.begin(), distinct.end()).size(), 1024u);
  EXPECT_EQ(beyond(made(Indices::Padded)), 256);
  EXPECT_NEAR(static_cast<double>(beyond(made(Indices::Outside))), 128, 40);
  const std::vector<std::uint32_t> zipf = made(Indices::Zipf);
  EXPECT_LT(std::set<std::uint32_t>(zipf.begin(), zipf.end()).size(), 800u);
  EXPECT_EQ(made(Indices::Random), made(Indices::Random));
}

TEST(Indices, OfCallsInTurnMeetOtherSlots) {
  for (const Indices kind : {Indices::Distinct, Indices::Runs}) {
    CellIndices indices(kind, 32, 1 << 16);
    std::set<std::uint32_t> met;
    for (int call = 1; call <= 100; ++call) {
      for (int i = 0; i < 32; ++i) met.insert(indices.next());
    }
    EXPECT_GT(met.size(), 3000u) << name_of(kind);
  }
}

}  // namespace
}  // namespace pto::jit::bench
