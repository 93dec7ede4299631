// Indices that leave their operand: where no policy answers them, ptojit run stops before anything
// is touched and says where.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

struct IndexCase {
  std::string spec;
  std::vector<std::pair<std::string, std::size_t>> files;  // bytes of zeros, by operand
  std::string index;
  std::string out;
  std::size_t count;   // indices in the tile
  std::size_t size;    // bytes of an index
  std::size_t at;      // the one that is changed
  std::uint32_t last;  // the largest that stays inside
  std::string place;
};

const IndexCase kCases[] = {
    {"a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[64x32]",
     {{"src", 256}},
     "idx",
     "table",
     8,
     4,
     6,
     63,
     "idx at row 0, column 6 (position 6) is "},
    {"a5:mscatter.row src=u8[8x32] idx=i32[8x1]:cm table=u8[64x32]",
     {{"src", 256}},
     "idx",
     "table",
     8,
     4,
     6,
     63,
     "idx at row 6, column 0 (position 6) is "},
    {"a2a3:mscatter.elem.atomic_add src=f32[3x8] idx=i32[3x8] table=f32[5x7]",
     {{"src", 96}},
     "idx",
     "table",
     24,
     4,
     17,
     34,
     "idx at row 2, column 1 (position 17) is "},
    {"a5:mscatter.elem src=u32[8x8] idx=u32[8x8]:cm table=u32[9]",
     {{"src", 256}},
     "idx",
     "table",
     64,
     4,
     17,
     8,
     "idx at row 1, column 2 (position 10) is "},
    {"a2a3:mgather.row dst=f16[16x32]:nz idx=i32[1x16] table=f16[1x2x3x16x16]:nz",
     {{"table", 3072}},
     "idx",
     "dst",
     16,
     4,
     15,
     47,
     "idx at row 0, column 15 (position 15) is "},
    {"a5:mgather.elem dst=u8[2x32] idx=i32[2x32] table=u8[100]",
     {{"table", 100}},
     "idx",
     "dst",
     64,
     4,
     32,
     99,
     "idx at row 1, column 0 (position 32) is "},
    {"cpu:mscatter.elem.skip src=u8[2x32] idx=i32[2x32] table=u8[100]",
     {{"src", 64}},
     "idx",
     "table",
     64,
     4,
     63,
     99,
     "idx at row 1, column 31 (position 63) is "},
    {"a5:tscatter src=f16[4x16] idx=u16[4x16] dst=f16[2x16]",
     {{"src", 128}},
     "idx",
     "dst",
     64,
     2,
     20,
     31,
     "idx at row 1, column 4 (position 20) is "},
    {"a2a3:tgatherb src=f32[2x8] offset=u32[1x8] dst=f32[1x8]",
     {{"src", 64}},
     "offset",
     "dst",
     8,
     4,
     3,
     60,
     "offset at row 0, column 3 (position 3) is "},
    {"a5:tgatherb.block src=u8[3x32] offset=u32[2x8|2x1] dst=u8[2x32]",
     {{"src", 96}},
     "offset",
     "dst",
     16,
     4,
     8,
     64,
     "offset at row 1, column 0 (position 1) is "},
};

class RunIndex : public ToolTest {
 protected:
  ToolRun run(const IndexCase& entry, std::uint32_t value) const {
    std::vector<std::string> arguments = {"run", entry.spec, "--out",
                                          entry.out + "=" + path("out")};
    for (const auto& [name, bytes] : entry.files)
      arguments.insert(arguments.end(), {"--in", name + "=" + put(name, Bytes(bytes))});
    Bytes tile(entry.count * entry.size);
    std::memcpy(tile.data() + entry.at * entry.size, &value, entry.size);
    arguments.insert(arguments.end(), {"--in", entry.index + "=" + put(entry.index, tile)});
    return tool(arguments);
  }
};

TEST_F(RunIndex, TheLastOneInsideIsFollowed) {
  for (const IndexCase& entry : kCases) {
    const ToolRun done = run(entry, entry.last);
    EXPECT_EQ(done.exit, 0) << entry.spec << "\n" << done.err;
    EXPECT_TRUE(std::filesystem::remove(path("out")));
  }
}

TEST_F(RunIndex, TheFirstOneOutsideStopsEverything) {
  for (const IndexCase& entry : kCases) {
    const std::string number = std::to_string(entry.last + 1);
    EXPECT_TRUE(run(entry, entry.last + 1)
                    .fails(2, {"error[index.range]", entry.place + number + ", which leaves",
                               "capacity is " + number}))
        << entry.spec;
    EXPECT_FALSE(names().contains("out"));
  }
}

TEST_F(RunIndex, ANegativeOneIsALargeOne) {
  EXPECT_TRUE(run(kCases[0], 0xffffffff).fails(2, {"4294967295 (-1, read as unsigned)"}));
  EXPECT_TRUE(run(kCases[3], 0xffffffff).fails(2, {"is 4294967295, which"}));
  EXPECT_TRUE(run(kCases[7], 0xffff).fails(2, {"is 65535, which"}));
}

TEST_F(RunIndex, TheOthersAreCounted) {
  const std::string spec = "a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[4x32]";
  const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(256)), "--in",
                             "idx=" + put("idx", indices({0, 1, 9, 2, 4, 3, 8, 0})), "--out",
                             "table=" + path("out")});
  EXPECT_TRUE(done.fails(2, {"column 2 (position 2) is 9", "; 2 more indices are out of range",
                             "try:  a5:mscatter.row.skip "}));
}

// Indices outside the valid region belong to nobody.
TEST_F(RunIndex, PaddingIsNotLookedAt) {
  const std::string spec = "a5:mscatter.row src=u8[8x32|2x32] idx=i32[1x8|1x2] table=u8[4x32]";
  const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(256)), "--in",
                             "idx=" + put("idx", indices({0, 3, 9, 9, 9, 9, 9, 9})), "--out",
                             "table=" + path("out")});
  EXPECT_EQ(done.exit, 0) << done.err;
}

TEST_F(RunIndex, WhatMovesNothingHasNoIndexToLeave) {
  struct Nothing {
    std::string spec;
    std::string bind;
  };
  const Nothing cases[] = {
      {"a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[?x32]", "table.d3=0"},
      {"a5:mscatter.row src=u8[8x32|?x32] idx=i32[1x8|1x?] table=u8[4x32]", "src.vr=0"},
      {"a2a3:mscatter.row src=u8[8x32|8x?] idx=i32[1x8] table=u8[4x32]", "src.vc=0"},
  };
  for (const Nothing& entry : cases) {
    const ToolRun done = tool({"run", entry.spec, "--in", "src=" + put("src", Bytes(256)), "--in",
                               "idx=" + put("idx", indices({9, 9, 9, 9, 9, 9, 9, 9})), "--out",
                               "table=" + path("out"), "--bind", entry.bind});
    EXPECT_EQ(done.exit, 0) << entry.spec << "\n" << done.err;
  }
}

TEST_F(RunIndex, APolicyAnswersEveryIndex) {
  for (const std::string policy : {"skip", "clamp", "wrap"}) {
    const std::string spec =
        "a5:mscatter.row." + policy + " src=u8[8x32] idx=i32[1x8] table=u8[4x32]";
    const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(256)), "--in",
                               "idx=" + put("idx", indices({9, 1, 9, 2, 4, 3, 8, 0})), "--out",
                               "table=" + path("out")});
    EXPECT_EQ(done.exit, 0) << policy << "\n" << done.err;
  }
  EXPECT_EQ(
      tool({"run", "cpu:tgatherb src=u8[1x32] offset=u32[1x32] dst=u8[1x32]", "--in",
            "src=" + put("src", Bytes(32)), "--in",
            "offset=" + put("offset", Bytes(128, std::byte{0xff})), "--out", "dst=" + path("out")})
          .exit,
      0);
}

}  // namespace
}  // namespace pto::jit::tests
