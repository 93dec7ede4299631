// ptojit audit: what it finds, where it says it is, and its exit codes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

const std::string kScatter = "a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[4x32]";

class Audit : public ToolTest {
 protected:
  ToolRun audit(const std::string& spec, const Bytes& index,
                std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"audit", spec, "--in", "idx=" + put("idx", index)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tool(arguments);
  }
};

TEST_F(Audit, OfCleanIndicesEndsWithZero) {
  const ToolRun done = audit("a5:mscatter.row src=u8[4x32] idx=i32[1x8|1x4] table=u8[4x32]",
                             indices({0, 1, 3, 2, 9, 9, 9, 9}));
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(done.out,
            "0 of 4 indices out of bounds\n0 of 4 indices colliding with an earlier one\n");
  EXPECT_EQ(done.err, "");
}

TEST_F(Audit, SaysHowManyAndWhereTheFirstIs) {
  for (const std::string backend : {"interpreter", "xbyak", "auto"}) {
    const ToolRun done =
        audit(kScatter, indices({0, 1, 1, 4, 0xffffffff, 3, 0, 1}), {"--backend", backend});
    EXPECT_EQ(done.exit, 1) << done.err;
    EXPECT_EQ(done.out,
              "2 of 8 indices out of bounds; the first: idx at row 0, column 3 (position 3) is 4\n"
              "3 of 8 indices colliding with an earlier one; the first: idx at row 0, column 2 "
              "(position 2) is 1\n");
  }
}

TEST_F(Audit, CountsTheIndicesThatAPolicyAnswers) {
  const std::string clamp = "a5:mscatter.row.clamp src=u8[8x32] idx=i32[1x8] table=u8[4x32]";
  const ToolRun done = audit(clamp, indices({0, 1, 2, 9, 9, 3, 0, 1}));
  EXPECT_EQ(done.exit, 1);
  EXPECT_NE(done.out.find("2 of 8 indices out of bounds; the first: idx at row 0, column 3"),
            std::string::npos)
      << done.out;
  EXPECT_NE(done.out.find("4 of 8 indices colliding"), std::string::npos) << done.out;
}

struct Placed {
  std::string spec;
  std::size_t count;  // indices of the tile
  std::size_t at;     // element of its storage
  std::string place;
};

// The position counts the valid region row by row, whatever the layout and the padding.
TEST_F(Audit, SpeaksOfTileCoordinatesAndRowMajorPositions) {
  const Placed cases[] = {
      {"a5:mgather.row dst=u8[8x32] idx=i32[8x1]:cm table=u8[4x32]", 8, 5,
       "row 5, column 0 (position 5)"},
      {"a5:mgather.elem dst=u32[8x8] idx=u32[8x8]:cm table=u32[9]", 64, 17,
       "row 1, column 2 (position 10)"},
      {"a2a3:mgather.elem dst=f32[3x8|3x5] idx=i32[3x8|3x5] table=f32[9]", 24, 18,
       "row 2, column 2 (position 12)"},
      {"a2a3:mgather.row dst=f16[16x32]:nz idx=i32[1x16] table=f16[1x2x3x16x16]:nz", 16, 15,
       "row 0, column 15 (position 15)"},
  };
  for (const Placed& entry : cases) {
    Bytes tile(entry.count * 4);
    tile[entry.at * 4 + 3] = std::byte{0x7f};
    const ToolRun done = audit(entry.spec, tile);
    EXPECT_EQ(done.exit, 1) << entry.spec << done.err;
    EXPECT_NE(done.out.find("; the first: idx at " + entry.place + " is 2130706432"),
              std::string::npos)
        << entry.spec << "\n"
        << done.out;
    EXPECT_EQ(done.out.find("colliding"), std::string::npos) << "gathers do not collide";
  }
}

TEST_F(Audit, TakesRuntimeExtents) {
  const std::string spec =
      "a5:mscatter.row.audit src=u8[8x32|?x32] idx=i32[1x8|1x?] table=u8[?x32]";
  const ToolRun done =
      audit(spec, indices({0, 1, 2, 2, 9, 9, 9, 9}), {"--bind", "src.vr=4,table.d3=2"});
  EXPECT_EQ(done.exit, 1) << done.err;
  EXPECT_EQ(done.out,
            "2 of 4 indices out of bounds; the first: idx at row 0, column 2 (position 2) is 2\n"
            "0 of 4 indices colliding with an earlier one\n");
}

// In-range rows move as ever; the others are left out.
TEST_F(Audit, WritesTheResultWhenAsked) {
  const ToolRun done =
      audit(kScatter, indices({3, 7, 0, 0, 0, 0, 0, 0}),
            {"--in", "src=" + put("src", numbered(256, 1)), "--out", "table=" + path("table")});
  EXPECT_EQ(done.exit, 1) << done.err;
  const Bytes table = get("table");
  ASSERT_EQ(table.size(), 128u);
  EXPECT_EQ(table[3 * 32 + 5], std::byte{5});
  EXPECT_EQ(table[0], std::byte{7 * 32});
  EXPECT_EQ(table[2 * 32], std::byte{0});
  EXPECT_TRUE(
      audit(kScatter, indices({0, 0, 0, 0, 0, 0, 0, 0}), {"--out", "table=" + path("table")})
          .fails(2, {"option.missing", "--in src=FILE"}));
}

TEST_F(Audit, SpeaksJson) {
  const ToolRun done = audit(kScatter, indices({0, 1, 1, 4, 2, 3, 0, 7}), {"--json"});
  EXPECT_EQ(done.exit, 1);
  const nlohmann::json expected = {
      {"verdict", "findings"},
      {"indices", 8},
      {"out_of_bounds",
       {{"count", 2}, {"first", {{"position", 3}, {"row", 0}, {"column", 3}, {"index", 4}}}}},
      {"collisions",
       {{"count", 2}, {"first", {{"position", 2}, {"row", 0}, {"column", 2}, {"index", 1}}}}}};
  EXPECT_EQ(nlohmann::json::parse(done.out), expected) << done.out;
}

TEST_F(Audit, RefusesWhatItCannotAudit) {
  EXPECT_TRUE(
      tool({"audit", "a5:tscatter.p0101 src=u8[1x32] dst=u8[1x64]"}).fails(2, {"a5.mask.audit"}));
  EXPECT_TRUE(
      tool({"audit", "a5:comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] ranks=2 root=0"})
          .fails(2, {"a5.comm.audit"}));
  EXPECT_TRUE(tool({"audit", "a5:mscatter.row src=u8[8x3"}).fails(2, {"error"}));
  EXPECT_TRUE(tool({"audit", kScatter}).fails(2, {"option.missing", "--in idx=FILE"}));
  EXPECT_TRUE(audit(kScatter, indices({0, 1})).fails(2, {"idx"}));
  EXPECT_TRUE(audit(kScatter, Bytes(32), {"--backend", "fast"}).fails(2, {"option.backend"}));
}

}  // namespace
}  // namespace pto::jit::tests
