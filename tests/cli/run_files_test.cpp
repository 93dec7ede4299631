// What ptojit run says about files that do not fit, and that a failure leaves nothing behind.
#include <gtest/gtest.h>

#include "tests/cli/tool_fixture.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

using Words = std::initializer_list<std::string_view>;

const std::string kScatter = "a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[64x32]";

class RunFiles : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    put("src", Bytes(256));
    put("idx", Bytes(32));
  }

  // The scatter with one file replaced by another.
  ToolRun scatter(const std::string& operand, const std::string& file,
                  const std::string& out = "out") const {
    std::vector<std::string> arguments = {"run", kScatter, "--out", "table=" + path(out)};
    for (const std::string name : {"src", "idx", "table"}) {
      const bool is_replaced = name == operand;
      if (name == "table" && !is_replaced) continue;
      arguments.insert(arguments.end(), {"--in", name + "=" + path(is_replaced ? file : name)});
    }
    return tool(arguments);
  }

  void expect_refused(const std::string& operand, const std::string& file, Words words) const {
    const std::set<std::string> before = names();
    EXPECT_TRUE(scatter(operand, file).fails(2, words)) << operand << " " << file;
    EXPECT_EQ(names(), before);
  }
};

TEST_F(RunFiles, AFullTileHasExactlyItsStorage) {
  put("short", Bytes(255));
  put("long", Bytes(257));
  put("empty", Bytes(0));
  expect_refused("src", "short", {"file.size", "short", "has 255 bytes", "needs 256"});
  expect_refused("src", "long", {"has 257 bytes", "needs 256"});
  expect_refused("src", "empty", {"has 0 bytes", "needs 256"});
  expect_refused("idx", "short", {"has 255 bytes", "needs 32"});
}

TEST_F(RunFiles, ATileReachesToTheLastByteTouched) {
  const std::string spec = "a2a3:mscatter.row src=f32[8x8|3x5] idx=i32[1x8|1x3] table=f32[64x8]";
  put("idx", Bytes(12));
  const auto run = [&](std::size_t bytes) {
    return tool({"run", spec, "--in", "src=" + put("src", Bytes(bytes)), "--in",
                 "idx=" + path("idx"), "--out", "table=" + path("out")});
  };
  for (const std::size_t bytes : {84U, 88U, 256U}) EXPECT_EQ(run(bytes).exit, 0) << bytes;
  EXPECT_TRUE(run(80).fails(2, {"has 80 bytes", "needs 84 to 256"}));
  EXPECT_TRUE(run(260).fails(2, {"has 260 bytes", "needs 84 to 256"}));
  EXPECT_TRUE(run(86).fails(2, {"has 86 bytes", "needs 84 to 256 in whole elements of 4"}));
}

TEST_F(RunFiles, ATableIsNoShorterThanItsShape) {
  put("short", Bytes(2047));
  expect_refused("table", "short", {"has 2047 bytes", "needs at least 2048"});
  const std::string spec = "a5:mscatter.row src=f32[8x8] idx=i32[1x8] table=f32[64x8]";
  put("odd", Bytes(2051));
  const ToolRun odd = tool({"run", spec, "--in", "src=" + path("src"), "--in", "idx=" + path("idx"),
                            "--in", "table=" + path("odd"), "--out", "table=" + path("out")});
  EXPECT_TRUE(odd.fails(2, {"needs at least 2048 in whole elements of 4"}));
}

TEST_F(RunFiles, TheExtentsThatAreBoundDecideHowLongATableIs) {
  const std::string spec = "a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[?x32]";
  put("table", Bytes(2048));
  const auto run = [&](const std::string& rows) {
    return tool({"run", spec, "--in", "src=" + path("src"), "--in", "idx=" + path("idx"), "--in",
                 "table=" + path("table"), "--out", "table=" + path("out"), "--bind",
                 "table.d3=" + rows});
  };
  EXPECT_TRUE(run("65").fails(2, {"has 2048 bytes", "at least 2080"}));
  EXPECT_FALSE(names().contains("out"));
  EXPECT_EQ(run("64").exit, 0);
  EXPECT_TRUE(run("2147483647").fails(1, {"a5.scatter.table.elements"}));
}

TEST_F(RunFiles, FilesThatCannotBeReadAreNamed) {
  expect_refused("src", "missing", {"file.read", "missing", "No such file"});
  expect_refused("src", ".", {"file.read", "directory"});
  expect_refused("src", "src/below", {"file.read", "Not a directory"});
}

TEST_F(RunFiles, AnOutputThatCannotBeWrittenIsNamed) {
  const std::set<std::string> before = names();
  EXPECT_TRUE(scatter("", "", "missing/out").fails(2, {"file.write", "missing/out"}));
  EXPECT_TRUE(scatter("", "", ".").fails(2, {"file.write", "directory"}));
  EXPECT_EQ(names(), before);
}

TEST_F(RunFiles, AFailureKeepsTheOldOutput) {
  put("out", "precious");
  put("short", Bytes(3));
  EXPECT_EQ(scatter("src", "short").exit, 2);
  EXPECT_EQ(get("out"), get("out"));
  EXPECT_EQ(get("out").size(), 8U);
}

TEST_F(RunFiles, OneBadOutputWritesNone) {
  const std::string spec =
      "a5:comm.tscatter src=u8[64x32] dst=u8[16x32] stage=u8[16x32] ranks=4 root=0";
  put("ranks", Bytes(2048));
  const std::set<std::string> before = names();
  const ToolRun done = tool({"run", spec, "--in", "src=" + path("ranks"), "--out",
                             "dst.0=" + path("good"), "--out", "dst.1=" + path("no/where")});
  EXPECT_TRUE(done.fails(2, {"file.write"}));
  EXPECT_EQ(names(), before);
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

TEST_F(RunFiles, ANpyHeaderThatLiesIsFound) {
  struct Lie {
    std::string header;
    std::size_t payload;
    std::string_view word;
  };
  const Lie lies[] = {
      {header("|u1", "(8, 32)"), 255, "takes 256 bytes, the file has 255"},
      {header("|u1", "(8, 32)"), 257, "takes 256 bytes, the file has 257"},
      {header("|u1", "(8, 33)"), 264, "the operand needs (8, 32) or (256,)"},
      {header("|u1", "(32, 8)"), 256, "the operand needs (8, 32) or (256,)"},
      {header("|i1", "(8, 32)"), 256, "the operand (u8) needs '|u1'"},
      {header("<f4", "(8, 8)"), 256, "the operand (u8) needs '|u1'"},
      {header("|u1", "(8, 32)", true), 256, "Fortran order"},
      {header("|u1", "(4294967296, 4294967296)"), 256, "beyond 2^63"},
      {"{'descr': '|u1'}", 256, "file.npy"},
      {"", 256, "file.npy"},
  };
  for (const Lie& lie : lies) {
    put("lie.npy", npy(lie.header, Bytes(lie.payload)));
    expect_refused("src", "lie.npy", {"lie.npy", lie.word});
  }
  put("raw.npy", Bytes(256));
  expect_refused("src", "raw.npy", {"does not begin like a .npy file"});
  put("good.npy", npy(header("|u1", "(8, 32)"), Bytes(256)));
  EXPECT_EQ(scatter("src", "good.npy").exit, 0);
}

// A table nobody could hold is refused before a page of it is touched.
TEST_F(RunFiles, MemoryThatCannotBeHadIsAnError) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's allocator ends the process instead";
  const std::string spec =
      "cpu:mscatter.elem src=u8[1x32] idx=u32[1x32] table=u8[2147483647x60000]";
  put("idx", Bytes(128));
  EXPECT_TRUE(tool({"audit", spec, "--in", "idx=" + path("idx")})
                  .fails(2, {"memory.allocate", "table, 128849018820000 bytes"}));
}

}  // namespace
}  // namespace pto::jit::tests
