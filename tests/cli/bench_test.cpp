// ptojit bench: that its indices follow their laws and its figures speak of what was asked for. How
// long anything takes is nobody's business here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/spec_text.h"
#include "jit/tools/bench/index_stream.h"
#include "jit/tools/bench/memory_level.h"
#include "jit/tools/bench/sweep.h"
#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

using namespace cli;

std::vector<std::uint64_t> drawn(const std::string& text, std::uint64_t slots, int count) {
  IndexStream stream(*parse_indices(text), slots, 7);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < count; ++i) out.push_back(stream.next());
  return out;
}

TEST(IndexLaws, APermutationMeetsEverySlotOnceThenAgain) {
  for (const std::uint64_t slots : {1, 2, 3, 4, 5, 97, 1024, 1025}) {
    const auto count = static_cast<int>(slots);
    const std::vector<std::uint64_t> all = drawn("permutation", slots, 2 * count);
    const std::set<std::uint64_t> met(all.begin(), all.begin() + count);
    EXPECT_EQ(met.size(), slots);
    EXPECT_LT(*met.rbegin(), slots);
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + count, all.begin() + count));
  }
  EXPECT_NE(drawn("permutation", 1024, 8), drawn("sequential", 1024, 8));
}

TEST(IndexLaws, SlotsAreWantedInProportionToTheirRank) {
  for (const double exponent : {0.5, 1.0, 1.5}) {
    std::map<std::uint64_t, int> wanted;
    for (const std::uint64_t slot : drawn("zipf:" + std::to_string(exponent), 1000, 200'000))
      ++wanted[slot];
    std::vector<int> counts;
    for (const auto& [slot, count] : wanted) {
      EXPECT_LT(slot, 1000U);
      counts.push_back(count);
    }
    std::ranges::sort(counts, std::greater());
    EXPECT_NEAR(counts[0], counts[1] * std::pow(2, exponent), 0.12 * counts[0]) << exponent;
    EXPECT_NEAR(counts[0], counts[9] * std::pow(10, exponent), 0.25 * counts[0]) << exponent;
  }
}

TEST(IndexLaws, RunsAreSlotsInARow) {
  const std::vector<std::uint64_t> all = drawn("runs:4", 100, 400);
  int jumps = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_LT(all[i], 100U);
    if (i == 0) continue;
    const bool goes_on = all[i] == (all[i - 1] + 1) % 100;
    EXPECT_TRUE(goes_on || i % 4 == 0);
    if (!goes_on) ++jumps;
  }
  EXPECT_GT(jumps, 90);
}

TEST(IndexLaws, TheOthersAreWhatTheyAreCalled) {
  EXPECT_EQ(drawn("sequential", 3, 5), (std::vector<std::uint64_t>{0, 1, 2, 0, 1}));
  const std::vector<std::uint64_t> equal = drawn("equal", 1000, 50);
  EXPECT_EQ(std::set(equal.begin(), equal.end()).size(), 1U);
  const std::vector<std::uint64_t> uniform = drawn("uniform", 10, 1000);
  EXPECT_EQ(std::set(uniform.begin(), uniform.end()).size(), 10U);
}

TEST(IndexLaws, AreReadAsTheyArePrintedAndRefusedOtherwise) {
  for (const char* text : {"uniform", "zipf:1.1", "sequential", "runs:16", "permutation", "equal",
                           "file:some/ids.npy"}) {
    const Result<IndexChoice> choice = parse_indices(text);
    ASSERT_TRUE(choice) << text;
    EXPECT_EQ(print(*choice), text);
  }
  for (const char* text :
       {"", "unifrom", "uniform:3", "zipf", "zipf:", "zipf:0", "zipf:-1", "zipf:nan", "zipf:1x",
        "zipf:11", "runs", "runs:0", "runs:1.5", "runs:99999999999", "file:", "file"}) {
    const Result<IndexChoice> choice = parse_indices(text);
    ASSERT_FALSE(choice) << text;
    EXPECT_EQ(choice.error()[0].id, "bench.indices");
  }
}

TEST(Sweeps, DoubleFromOneEndToTheOther) {
  const KernelSpec spec = *parse("a5:mgather.row dst=f32[8x8] idx=i32[1x8] table=f32[?x8]");
  const auto points = points_of(*parse_sweep("table.d3=1K..5K"), spec);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 3U);
  EXPECT_EQ((*points)[2][0].value, 4096);
  EXPECT_FALSE(points_of(*parse_sweep("table.q=1..2"), spec));
  for (const char* text : {"table.d3", "table.d3=1", "table.d3=2..1", "=1..2", "table.d3=0..4",
                           "table.d3=1..4T", "table.d3=1..2KK", "table.d3=1..9999999999G"}) {
    EXPECT_FALSE(parse_sweep(text)) << text;
  }
}

TEST(MemoryLevels, AreNamedByWhatFitsIntoThem) {
  const HostFeatures host{.l1d = 32 << 10, .l2 = 1 << 20, .l3 = 8 << 20};
  EXPECT_EQ(level_met(32 << 10, 4096, host), "L1 (32 KB)");
  EXPECT_EQ(level_met((32 << 10) + 1, 4096, host), "L2 (1 MB)");
  EXPECT_EQ(level_met(3 << 20, 4096, host), "L3 (8 MB)");
  EXPECT_EQ(level_met(9 << 20, 2 << 20, host), "beyond L3 (8 MB), on pages of 2 MB");
}

class BenchTest : public ToolTest {
 protected:
  static constexpr const char* kRows = "a5:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[?x16]";
  nlohmann::json figures(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--repeat", "3"});
    const ToolRun run = tool(arguments);
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(run.out);
  }
};

TEST_F(BenchTest, FiguresFollowFromEachOther) {
  const nlohmann::json all = figures({"bench", kRows, "--bind", "table.d3=64"});
  const double call = all["call_ns"];
  EXPECT_LE(all["call_ns_low"], call);
  EXPECT_GE(all["call_ns_high"], call);
  EXPECT_DOUBLE_EQ(all["ns_per_index"], call / 8);
  EXPECT_DOUBLE_EQ(all["ns_per_element"], call / 128);
  EXPECT_DOUBLE_EQ(all["bytes_per_ns"], 512 / call);
  EXPECT_EQ(all["table_bytes"], 64 * 64);
  EXPECT_GT(all["table_met"], 0.9);
  EXPECT_EQ(all["spec"], "a5:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[64x16]");
  EXPECT_FALSE(all["host"].get<std::string>().empty());
}

TEST_F(BenchTest, EveryKindOfKernelCanBeTimed) {
  for (const char* spec :
       {"a5:tscatter.p0101 src=i8[4x32] dst=i8[4x64]",
        "a5:comm.tscatter src=f32[8x16] dst=f32[2x16] stage=f32[2x16] ranks=4 root=0",
        "a5:tgatherb src=f32[1x64] offset=u32[2x8] dst=f32[2x8]",
        "a5:mscatter.elem.skip.atomic_add.audit src=i32[2x8] idx=i32[2x8] table=i32[64]",
        "a2a3:mscatter.elem src=f32[16x8]:nz idx=i32[16x8] table=f32[1x1x16x8]:nz"}) {
    EXPECT_GT(figures({"bench", spec})["call_ns"], 0) << spec;
  }
}

TEST_F(BenchTest, ASweepHasARowForEachValueInEveryForm) {
  const std::vector<std::string> sweep = {"bench", kRows, "--sweep", "table.d3=16..64"};
  EXPECT_EQ(figures(sweep)["rows"].size(), 3U);
  std::vector<std::string> csv = sweep;
  csv.insert(csv.end(), {"--csv", "--repeat", "3"});
  const ToolRun run = tool(csv);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 4);
}

TEST_F(BenchTest, IndicesComeFromAFile) {
  const std::string path = put("ids", std::string(64, '\0'));
  const nlohmann::json all =
      figures({"bench", kRows, "--bind", "table.d3=64", "--indices", "file:" + path});
  EXPECT_EQ(all["indices"], "file:" + path);
  EXPECT_DOUBLE_EQ(all["table_met"], 1.0 / 64);
}

TEST_F(BenchTest, WhatCannotBeTimedIsSaid) {
  struct Case {
    std::vector<std::string> options;
    const char* word;
  };
  const Case cases[] = {
      {{"--repeat", "0"}, "bench.repeat"},
      {{"--indices", "some"}, "bench.indices"},
      {{"--indices", "file:/nowhere"}, "/nowhere"},
      {{"--indices", "file:" + put("odd", "abc")}, "odd"},
      {{"--strategy", "group=3"}, "option.strategy"},
      {{"--backend", "gpu"}, "gpu"},
      {{"--sweep", "table.d3=16..64"}, "table.d3"},
      {{"--sweep", "table.d4=16..64"}, "table.d4"},
  };
  for (const Case& refused : cases) {
    std::vector<std::string> arguments = {"bench", kRows, "--bind", "table.d3=64"};
    arguments.insert(arguments.end(), refused.options.begin(), refused.options.end());
    EXPECT_TRUE(tool(arguments).fails(2, {refused.word}));
  }
  EXPECT_EQ(tool({"bench", kRows, "--bind", "table.d3=64", "--csv", "--json"}).exit, 2);
}

}  // namespace
}  // namespace pto::jit::tests
