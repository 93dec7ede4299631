// What the shapes of .npy files tell ptojit run: runtime extents, and that only what is valid is
// there.
#include <gtest/gtest.h>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

const std::string kScatter = "a5:mscatter.row src=u8[8x32|?x32] idx=i32[1x8|1x?] table=u8[?x32]";

class RunNpy : public ToolTest {
 protected:
  std::string array(const std::string& name, const std::string& type, const std::string& shape,
                    const Bytes& payload) const {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    return put(name + ".npy", npy(header, payload));
  }

  // Three rows of threes, written to where the indices 5, 0 and 2 say.
  std::string three_rows() const {
    return "src=" + array("src", "|u1", "(3, 32)", Bytes(96, std::byte{3}));
  }
  std::string table(const std::string& shape = "(9, 32)") const {
    return "table=" + array("table", "|u1", shape, Bytes(9 * 32, std::byte{1}));
  }

  ToolRun scatter(const std::vector<std::string>& in, const std::string& bind = "") const {
    std::vector<std::string> arguments = {"run", kScatter, "--out", "table=" + path("out")};
    for (const std::string& file : in) arguments.insert(arguments.end(), {"--in", file});
    if (!bind.empty()) arguments.insert(arguments.end(), {"--bind", bind});
    return tool(arguments);
  }

  void expect_scattered(const ToolRun& done) const {
    EXPECT_EQ(done.exit, 0) << done.err;
    const Bytes out = get("out");
    ASSERT_EQ(out.size(), 9U * 32);
    for (std::size_t row = 0; row < 9; ++row) {
      const bool is_written = row == 5 || row == 0 || row == 2;
      EXPECT_EQ(out[row * 32 + 31], std::byte(is_written ? 3 : 1)) << row;
    }
  }

  const Bytes three_ = indices({5, 0, 2});
};

TEST_F(RunNpy, ShapesBindRuntimeExtents) {
  expect_scattered(
      scatter({three_rows(), "idx=" + array("idx", "<i4", "(1, 3)", three_), table()}));
  expect_scattered(scatter({three_rows(), "idx=" + array("idx", "<i4", "(3,)", three_), table()}));
}

TEST_F(RunNpy, ATieTellsTheOtherTile) {
  const Bytes padded = indices({5, 0, 2, 8, 8, 8, 8, 8});
  expect_scattered(
      scatter({three_rows(), "idx=" + array("idx", "<i4", "(1, 8)", padded), table()}));
  expect_scattered(scatter({"idx=" + array("idx", "<i4", "(8,)", padded), three_rows(), table()}));
  expect_scattered(scatter({three_rows(), "idx=" + put("idx", padded), table()}));
  expect_scattered(scatter({three_rows(), "idx=" + put("idx", three_), table()}));
}

// An array of the padded shape is all valid unless something says otherwise.
TEST_F(RunNpy, APaddedShapeIsAskedLast) {
  const std::string src = "src=" + array("src", "|u1", "(8, 32)", Bytes(256, std::byte{3}));
  const Bytes padded = indices({5, 0, 2, 5, 0, 2, 5, 0});
  const std::string idx = "idx=" + array("idx", "<i4", "(1, 8)", padded);
  expect_scattered(scatter({src, "idx=" + array("three", "<i4", "(1, 3)", three_), table()}));
  expect_scattered(scatter({src, idx, table()}, "src.vr=3"));
  expect_scattered(scatter({src, idx, table()}));
}

TEST_F(RunNpy, AGivenValueIsHeldAgainstTheShape) {
  const std::string idx = "idx=" + array("idx", "<i4", "(1, 3)", three_);
  EXPECT_TRUE(scatter({three_rows(), idx, table()}, "src.vr=2")
                  .fails(2, {"src.npy", "the shape (3, 32)", "(8, 32) or (2, 32)"}));
  EXPECT_TRUE(scatter({three_rows(), idx, table()}, "table.d3=8")
                  .fails(2, {"table.npy", "the shape (9, 32)"}));
  EXPECT_TRUE(
      scatter({three_rows(), "idx=" + array("two", "<i4", "(1, 2)", indices({1, 2})), table()})
          .fails(2, {"two.npy", "the shape (1, 2)", "(1, 3)"}));
}

TEST_F(RunNpy, AFlatArrayTellsNothing) {
  const std::string idx = "idx=" + array("idx", "<i4", "(1, 3)", three_);
  EXPECT_TRUE(scatter({three_rows(), idx, table("(288,)")}).fails(2, {"bind.missing", "table.d3"}));
  expect_scattered(scatter({three_rows(), idx, table("(288,)")}, "table.d3=9"));
}

TEST_F(RunNpy, ATableOfOneDimensionIsToldByAFlatArray) {
  const ToolRun done = tool({"run", "a5:mgather.elem dst=u8[1x32|1x?] idx=i32[1x8|1x?] table=u8[?]",
                             "--in", "idx=" + array("idx", "<i4", "(3,)", three_), "--in",
                             "table=" + array("table", "|u1", "(7,)", numbered(7, 1)), "--out",
                             "dst=" + path("dst")});
  EXPECT_EQ(done.exit, 0) << done.err;
  const Bytes dst = get("dst");
  ASSERT_EQ(dst.size(), 32U);
  EXPECT_EQ(dst[0], std::byte{5});
  EXPECT_EQ(dst[2], std::byte{2});
  EXPECT_EQ(dst[3], std::byte{0});
}

TEST_F(RunNpy, AShapeTellsThatATableIsPacked) {
  const ToolRun done =
      tool({"run", "a2a3:mgather.row dst=u8[2x32|2x32] idx=i32[1x8|1x2] table=u8[?x32@?x1]", "--in",
            "idx=" + array("idx", "<i4", "(1, 2)", indices({3, 1})), "--in",
            "table=" + array("table", "|u1", "(4, 32)", numbered(128, 1)), "--out",
            "dst=" + path("dst")});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(get("dst")[0], std::byte{96});
  EXPECT_EQ(get("dst")[63], std::byte{63});
}

// Rows of seven go to where rows of 32 are.
TEST_F(RunNpy, WhatIsValidOfATileIsSpreadOverItsStorage) {
  const std::string spec = "a5:mscatter.elem src=u8[4x32|?x?] idx=i32[4x8|?x?] table=u8[?]";
  const Bytes order = [] {
    Bytes out = indices({20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    return out;
  }();
  const ToolRun done =
      tool({"run", spec, "--in", "src=" + array("src", "|u1", "(3, 7)", numbered(21, 1)), "--in",
            "idx=" + array("idx", "<i4", "(3, 7)", order), "--in",
            "table=" + array("table", "|u1", "(21,)", Bytes(21)), "--out", "table=" + path("out")});
  EXPECT_EQ(done.exit, 0) << done.err;
  Bytes expected = numbered(21, 1);
  std::ranges::reverse(expected);
  EXPECT_EQ(get("out"), expected);
}

// Elements of a column-major tile lie column by column in its storage and row by row in an array.
TEST_F(RunNpy, WhatIsValidOfAColumnMajorTileIsOneLine) {
  const auto gather = [&](const std::string& shape, const Bytes& payload) {
    return tool({"run", "a5:mgather.row dst=u8[8x32|?x32] idx=i32[8x1|?x1]:cm table=u8[?x32]",
                 "--in", "idx=" + array("idx", "<i4", shape, payload), "--in", table(), "--out",
                 "dst=" + path("dst")});
  };
  EXPECT_EQ(gather("(3, 1)", three_).exit, 0);
  const ToolRun refused =
      tool({"run", "a5:mscatter.elem src=u8[32x4|?x?]:cm idx=i32[32x8|?x?] table=u8[9x32]", "--in",
            "src=" + array("src", "|u1", "(3, 2)", Bytes(6)), "--in",
            "idx=" + array("six", "<i4", "(3, 2)", Bytes(24)), "--out", "table=" + path("out")});
  EXPECT_TRUE(refused.fails(2, {"the shape (3, 2)", "(32, 4) or (35,) up to (128,)"}));
}

TEST_F(RunNpy, AWrittenTileIsWholeWhateverItBeganAs) {
  const std::string spec = "a5:mgather.row dst=u8[8x32|3x32] idx=i32[1x8|1x3] table=u8[9x32]";
  const Bytes begun(96, std::byte{9});
  for (const std::string& dst : {array("dst", "|u1", "(3, 32)", begun),
                                 array("flat", "|u1", "(96,)", begun), put("raw", begun)}) {
    const ToolRun done =
        tool({"run", spec, "--in", "dst=" + dst, "--in", "idx=" + put("idx", three_), "--in",
              table(), "--out", "dst=" + path("out")});
    EXPECT_EQ(done.exit, 0) << done.err;
    const Bytes out = get("out");
    ASSERT_EQ(out.size(), 256U);
    EXPECT_EQ(out[95], std::byte{1});
    EXPECT_EQ(out[96], std::byte{0});
  }
}

}  // namespace
}  // namespace pto::jit::tests
