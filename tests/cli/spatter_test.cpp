// Spatter's patterns and files, and that each way of doing its work leaves what its definition
// says.
#include "jit/tools/bench/spatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "jit/tools/bench/spatter_timing.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

using namespace cli;
using Numbers = std::vector<std::uint64_t>;

Numbers pattern(const std::string& text) { return make_spatter_run({.pattern = text})->pattern; }

TEST(SpatterPatterns, AreThoseOfTheirDefinitions) {
  EXPECT_EQ(pattern("UNIFORM:4:3"), (Numbers{0, 3, 6, 9}));
  EXPECT_EQ(pattern("MS1:8:4:32"), (Numbers{0, 1, 2, 3, 35, 36, 37, 38}));
  EXPECT_EQ(pattern("MS1:6:2,4:10,20"), (Numbers{0, 1, 11, 12, 32, 33}));
  EXPECT_EQ(pattern("LAPLACIAN:2:1:100"), (Numbers{0, 99, 100, 101, 200}));
  EXPECT_EQ(pattern("LAPLACIAN:1:2:10"), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(pattern("4,0,4"), (Numbers{4, 0, 4}));
}

TEST(SpatterPatterns, SayTheirDeltaOrLeaveItToTheOption) {
  EXPECT_EQ(make_spatter_run({.pattern = "UNIFORM:8:4:NR"})->delta, 32U);
  EXPECT_EQ(make_spatter_run({.pattern = "UNIFORM:8:4:5"})->delta, 5U);
  EXPECT_EQ(make_spatter_run({.pattern = "LAPLACIAN:2:1:9"})->delta, 1U);
  EXPECT_EQ(make_spatter_run({.pattern = "UNIFORM:8:4"})->delta, 8U);
  EXPECT_EQ(make_spatter_run({.pattern = "UNIFORM:8:4", .delta = 3})->delta, 3U);
  EXPECT_FALSE(make_spatter_run({.pattern = "UNIFORM:8:4:5", .delta = 3}));
}

TEST(SpatterPatterns, AreRefusedWhenTheyAreNone) {
  for (const char* text : {"",
                           "UNIFORM",
                           "UNIFORM:8",
                           "UNIFORM:0:1",
                           "UNIFORM:8:0",
                           "UNIFORM:8:1:0",
                           "UNIFORM:8:1:NR:2",
                           "UNIFORM:99999999999:1",
                           "uniform:8:1",
                           "MS1:8:4",
                           "MS1:8::2",
                           "MS1:8:1,2,3:1,2",
                           "MS1:4:0:0",
                           "LAPLACIAN:2:1",
                           "LAPLACIAN:0:1:9",
                           "LAPLACIAN:40:1:1000",
                           "1,2,",
                           "1,-2",
                           "1 2",
                           "RANDOM:8"}) {
    const Result<SpatterRun> run = make_spatter_run({.pattern = text});
    ASSERT_FALSE(run) << text;
    EXPECT_EQ(run.error()[0].id, "spatter.pattern") << text;
  }
}

TEST(SpatterFiles, NameWhatIsWrongWithThem) {
  const std::pair<const char*, const char*> cases[] = {
      {"[", "not JSON"},
      {"{}", "list of runs"},
      {"[]", "list of runs"},
      {"[3]", "object"},
      {R"([{"kernel": "Gather"}])", "no pattern"},
      {R"([{"pattern": 3}])", "string or a list"},
      {R"([{"pattern": [1, "a"]}])", "list of indices"},
      {R"([{"pattern": "UNIFORM:8:1", "count": -1}])", "count"},
      {R"([{"pattern": "UNIFORM:8:1", "count": 0}])", "count"},
      {R"([{"pattern": "UNIFORM:8:1", "local-work-size": 8}])", "local-work-size"},
      {R"([{"kernel": "MultiGather", "pattern": "UNIFORM:8:1"}])", "MultiGather"},
      {R"([{"kernel": "Gahter", "pattern": "UNIFORM:8:1"}])", "Gahter"},
  };
  for (const auto& [text, word] : cases) {
    const Result<std::vector<SpatterRun>> runs = parse_spatter_file(text);
    ASSERT_FALSE(runs) << text;
    EXPECT_NE(runs.error()[0].message.find(word), std::string::npos) << runs.error()[0].message;
  }
}

// Gathers are compared by what the last patterns left in the dense side, scatters by the sparse
// one.
void expect_same_work(const SpatterRun& run, SpatterElement element) {
  const std::size_t size = bytes_of(element);
  const std::size_t pitch = element == SpatterElement::Pair ? 32 : size;
  const std::size_t length = run.pattern.size();
  SpatterWork work = *SpatterWork::make(run, element, {});
  const std::span<std::byte> sparse = work.sparse();
  work.work(SpatterWay::CallAPattern);
  work.work(SpatterWay::PlainLoop);
  if (run.kind == SpatterRun::Kind::Gather) {
    for (std::size_t turn = 0; turn < std::min(run.wrap, run.count); ++turn) {
      for (std::size_t i = 0; i < length; ++i) {
        const std::byte* ours = work.dense().data() + (turn * ((length + 7) / 8 * 8) + i) * pitch;
        const std::byte* loops = work.loop_dense().data() + (turn * length + i) * size;
        ASSERT_EQ(std::memcmp(ours, loops, size), 0) << run.name << " " << turn << " " << i;
      }
    }
    work.work(SpatterWay::OneList);
    const std::size_t last = run.count * length - 1;
    const std::byte* source =
        sparse.data() + (run.pattern.back() + run.delta * (run.count - 1)) * size;
    EXPECT_EQ(std::memcmp(work.dense().data() + last * pitch % (16 << 10), source, size), 0)
        << run.name;
    return;
  }
  for (const SpatterWay way : {SpatterWay::CallAPattern, SpatterWay::OneList}) {
    std::ranges::fill(sparse, std::byte{0xaa});
    work.work(SpatterWay::PlainLoop);
    std::vector<bool> written;
    for (std::size_t i = 0; i < sparse.size(); i += size)
      written.push_back(sparse[i] != std::byte{0xaa} || sparse[i + size - 1] != std::byte{0xaa});
    std::ranges::fill(sparse, std::byte{0xaa});
    work.work(way);
    for (std::size_t i = 0; i < written.size(); ++i) {
      const bool is_written =
          sparse[i * size] != std::byte{0xaa} || sparse[i * size + size - 1] != std::byte{0xaa};
      ASSERT_EQ(is_written, written[i]) << run.name << " by " << name_of(way) << " at " << i;
    }
  }
}

class SpatterTest : public ToolTest {
 protected:
  static std::string suite(const std::string& name) {
    return source_root() + "/tests/data/spatter/" + name + ".json";
  }
};

TEST_F(SpatterTest, EveryWayDoesTheSameWork) {
  for (const char* name : {"uniform_stride", "stream", "shapes"}) {
    std::ifstream in(suite(name));
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const Result<std::vector<SpatterRun>> runs = parse_spatter_file(text);
    ASSERT_TRUE(runs) << name << render(runs.error());
    for (const SpatterRun& run : *runs) {
      for (const SpatterElement element : kSpatterElements) expect_same_work(run, element);
    }
  }
}

TEST_F(SpatterTest, TheSuitesAreTimedInEveryForm) {
  const ToolRun json = tool({"bench", "--spatter", suite("shapes"), "--repeat", "1", "--json"});
  ASSERT_EQ(json.exit, 0) << json.err;
  const nlohmann::json runs = nlohmann::json::parse(json.out)["runs"];
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0]["pattern"], "stencil");
  for (const nlohmann::json& figure : runs[0]["figures"]) {
    const double bytes = 5.0 * 2000 * figure["element_bytes"].get<double>();
    EXPECT_DOUBLE_EQ(figure["megabytes_per_second"], bytes / figure["seconds"].get<double>() / 1e6);
  }
  const ToolRun csv = tool({"bench", "--spatter", suite("shapes"), "--repeat", "1", "--csv"});
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 1 + 4 * 6);
  EXPECT_EQ(tool({"bench", "--spatter", "-k", "Scatter", "-pUNIFORM:8:1", "-d", "8", "-l", "64",
                  "-w", "2", "--repeat", "1"})
                .exit,
            0);
}

TEST_F(SpatterTest, OptionsOfOneKindOfWorkAreNotTakenByTheOther) {
  const char* spec = "a5:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[64x16]";
  EXPECT_TRUE(tool({"bench", spec, "-d", "8"}).fails(2, {"-d is for --spatter only"}));
  EXPECT_TRUE(tool({"bench", spec, "-p", "UNIFORM:8:1"}).fails(2, {"-p is for --spatter only"}));
  EXPECT_TRUE(tool({"bench", "--spatter", "-p", "0,1", "--seed", "2"}).fails(2, {"--seed"}));
  EXPECT_TRUE(tool({"bench", "--spatter", "-p", "0,1", "--cold"}).fails(2, {"--cold"}));
  EXPECT_TRUE(tool({"bench", "--spatter"}).fails(2, {"-p"}));
  EXPECT_TRUE(tool({"bench", "--spatter", suite("shapes"), "-d", "3"}).fails(2, {"a file, or -p"}));
  EXPECT_TRUE(tool({"bench", "--spatter", "-p", "0,1", "-l", "x"}).fails(2, {"-l = x"}));
  EXPECT_TRUE(
      tool({"bench", "--spatter", "-p", "UNIFORM:8:1", "-l", "999999999"}).fails(2, {"4 bytes"}));
}

}  // namespace
}  // namespace pto::jit::tests
