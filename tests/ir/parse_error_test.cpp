// Texts that name no spec: each is refused with one diagnostic that points at the offending token.
#include <gtest/gtest.h>

#include <string>

#include "ir/spec_text.h"
#include "targets/verify.h"

namespace pto::jit::tests {
namespace {

struct BadText {
  std::string text;
  std::string_view id;
  std::string token;      // what the carets stand under; empty: the end of the text
  std::string_view part;  // of the message
};

const std::string kGood = "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]";
const std::string kRow = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] ";
const std::string kGroup = "a5:comm.tscatter src=f32[8x8] dst=f32[2x8] stage=f32[2x8] ";

const BadText kHeads[] = {
    {"", "text.empty", "", "starts with a target"},
    {" \t ", "text.empty", "", "starts with a target"},
    {"a6:tscatter", "text.target", "a6", "targets are cpu, a2a3, a5"},
    {"tscatter src=f32[8x8]", "text.target", "tscatter", "followed by ':'"},
    {"a5 :tscatter", "text.target", "a5", "followed by ':'"},
    {"A5:tscatter", "text.target", "A5", "is not a target"},
    {":tscatter", "text.target", ":", "is not a target"},
    {"a5:", "text.op", "", "is not an operation"},
    {"a5:scatter", "text.op", "scatter", "mscatter, mgather, tscatter"},
    {"a5:comm", "text.op", "comm", "is not an operation"},
    {"a5:comm.tgather", "text.op", "comm", "comm.tscatter"},
    {"a5:mscatter src=f32[8x8]", "text.mode", " ", "needs its mode: row or elem"},
    {"a5:mgather", "text.mode", "", "needs its mode: row or elem"},
    {"a5:mscatter.skip.row", "text.mode", "skip", "row or elem, before"},
    {"a5:mscatter.row.bogus", "text.suffix", "bogus", "is not a suffix of mscatter; it has row"},
    {"a5:mscatter.row.", "text.suffix", "", "is not a suffix"},
    {"a5:mscatter.row..skip", "text.suffix", ".", "is not a suffix"},
    {"a5:mscatter.row.elem", "text.suffix", "elem", "out of order or given twice"},
    {"a5:mscatter.row.atomic_add.skip", "text.suffix", "skip", "out of order"},
    {"a5:mscatter.row.skip.clamp", "text.suffix", "clamp", "given twice"},
    {"a5:mscatter.row.audit.skip", "text.suffix", "skip", "out of order"},
    {"a5:mscatter.row.block", "text.suffix", "block", "is not a suffix of mscatter"},
    {"a5:tscatter.row", "text.suffix", "row", "p1111 p0101"},
    {"a5:tscatter.p0101.p1010", "text.suffix", "p1010", "given twice"},
    {"a5:tscatter.p1100", "text.suffix", "p1100", "is not a suffix"},
    {"a5:tgatherb.elem", "text.suffix", "elem", "is not a suffix of tgatherb"},
    {"a5:comm.tscatter.ccu.pingpong", "text.suffix", "pingpong", "out of order"},
};

const BadText kOperands[] = {
    {"a5:tscatter src", "text.operand", "src", "write name=value"},
    {"a5:tscatter source=f32[8x8]", "text.operand", "source", "it has src idx dst"},
    {"a5:tscatter =f32[8x8]", "text.operand", "=", "is not an operand"},
    {kGood + " src=f32[8x8]", "text.operand", "src", "given twice"},
    {kGood + " table=f32[8x8]", "text.operand", "table", "is not an operand of tscatter"},
    {kGood + " ranks=4", "text.operand", "ranks", "is not an operand of tscatter"},
    {"a5:tscatter src=f32[16x16] dst=f32[16x16]", "text.operand", "", "needs idx="},
    {"a5:tscatter.p0101 src=f32[8x8] idx=i32[8x8]", "text.operand", "idx", "it has src dst"},
    {kGroup + "ranks=4", "text.operand", "", "needs root="},
    {kGroup + "ranks=? root=0", "text.number", "?", "is not a number"},
    {kGroup + "ranks=-1 root=0", "text.number", "-1", "is not a number"},
    {kGroup + "ranks=2147483648 root=0", "text.number", "2147483648", "at most 2147483647"},
};

const BadText kTypes[] = {
    {"a5:tscatter src=", "text.dtype", "", "is not a dtype"},
    {"a5:tscatter src=f64[8x8]", "text.dtype", "f64", "dtypes are i8 u8"},
    {"a5:tscatter src=F32[8x8]", "text.dtype", "F32", "is not a dtype"},
    {"a5:tscatter src=f32", "text.shape", "f32", "lacks its shape"},
    {"a5:tscatter src=f32[8x8", "text.shape", "8x8", "closing ']'"},
    {"a5:tscatter src=f32[8 x8]", "text.shape", "8", "closing ']'"},
    {"a5:tscatter src=f32[8]", "text.shape", "8", "is not ROWSxCOLS"},
    {"a5:tscatter src=f32[8x8x8]", "text.shape", "8x8x8", "is not ROWSxCOLS"},
    {"a5:tscatter src=f32[]", "text.shape", "]", "is not ROWSxCOLS"},
    {"a5:tscatter src=f32[8x]", "text.number", "]", "is not a number"},
    {"a5:tscatter src=f32[8xq]", "text.number", "q", "is not a number"},
    {"a5:tscatter src=f32[8x-8]", "text.number", "-8", "is not a number"},
    {"a5:tscatter src=f32[+8x8]", "text.number", "+8", "is not a number"},
    {"a5:tscatter src=f32[8x8.0]", "text.number", "8.0", "is not a number"},
    {"a5:tscatter src=f32[?x8]", "text.runtime", "?", "padded rows and cols are never '?'"},
    {"a5:tscatter src=f32[8x8|?]", "text.shape", "?", "is not ROWSxCOLS"},
    {"a5:tscatter src=f32[8x8|4x4|2x2]", "text.shape", "4x4|2x2", "is not ROWSxCOLS"},
    {"a5:tscatter src=f32[8x8]cm", "text.layout", "cm", "write :cm, :nz or nothing"},
    {"a5:tscatter src=f32[8x8]:nd", "text.layout", ":nd", "is not a tile layout"},
    {"a5:tscatter src=f32[8x8]:cm:cm", "text.layout", ":cm:cm", "is not a tile layout"},
    {kRow + "table=f32[8x32]:cm", "text.layout", ":cm", "is not a table layout"},
    {kRow + "table=f32[8x64:nz]", "text.layout", ":nz", "goes behind the ']', as in f32[8x32]:nz"},
    {"a5:tscatter src=f32[8x8:cm|4x4]", "text.layout", ":cm|4x4", "goes behind the ']'"},
    {kRow + "table=f32[8x32|8x8]", "text.number", "32|8", "is not a number"},
    {kRow + "table=f32[2x2x2x2x2x2]", "text.shape", "2x2x2x2x2x2", "6 dims; a table has 1 to 5"},
    {kRow + "table=f32[8x32@32]", "text.strides", "32", "1 strides for 2 dims"},
    {kRow + "table=f32[8x32@1x32x1]", "text.strides", "1x32x1", "3 strides for 2 dims"},
    {kRow + "table=f32[8x32@0x1]", "text.strides", "0x1", "a stride of 0"},
    {kRow + "table=f32[8x32@x1]", "text.number", "x", "is not a number"},
    {kRow + "table=f32[8x2147483648]", "text.number", "2147483648", "at most 2147483647"},
    {kRow + "table=f32[8x32@140737488355329x1]", "text.number", "140737488355329", "too large"},
    {kRow + "table=f32[" + std::string(100, '9') + "]", "text.number", std::string(100, '9'),
     "too large"},
};

const BadText kBytes[] = {
    {std::string("a5:\0tscatter", 12), "text.character", std::string(1, '\0'), "\\x00"},
    {"a5:tscatter\nsrc=f32[8x8]", "text.character", "\n", "\\x0a"},
    {"a5:tscatter \x7f", "text.character", "\x7f", "\\x7f"},
    {"a5:tscatter src=f32[8\xc3\x97"
     "8]",
     "text.character", "\xc3", "\\xc3"},
    {"\x1b[31ma5:tscatter", "text.character", "\x1b", "\\x1b"},
    {kGood + std::string(5000, ' '), "text.length", " ", "at most 4096 are read"},
};

void expect_refused(const BadText& bad) {
  const Result<KernelSpec> spec = parse(bad.text);
  ASSERT_FALSE(spec) << bad.text;
  ASSERT_EQ(spec.error().size(), 1u);
  const Diagnostic& problem = spec.error()[0];
  EXPECT_EQ(problem.id, bad.id) << bad.text;
  EXPECT_NE(problem.message.find(bad.part), std::string::npos) << problem.message;
  ASSERT_TRUE(problem.at) << bad.text;
  const Span at = problem.at.value_or(Span{});
  ASSERT_LE(at.begin, bad.text.size());
  const std::string marked = bad.text.substr(at.begin, at.length);
  EXPECT_EQ(marked, bad.token) << bad.text;
}

TEST(ParseError, PointsIntoTheHead) {
  for (const BadText& bad : kHeads) expect_refused(bad);
}
TEST(ParseError, PointsAtTheOperand) {
  for (const BadText& bad : kOperands) expect_refused(bad);
}
TEST(ParseError, PointsIntoTheType) {
  for (const BadText& bad : kTypes) expect_refused(bad);
}
TEST(ParseError, PointsAtTheByte) {
  for (const BadText& bad : kBytes) expect_refused(bad);
}

TEST(ParseError, PutsTheCaretUnderTheToken) {
  const std::string text = "a5:tscatter.p1100 src=f32[8x8] dst=f32[8x8]";
  EXPECT_EQ(render(parse(text).error(), text),
            "error[text.suffix]: 'p1100' is not a suffix of tscatter; it has p1111 p0101 p1010 "
            "p0001 p0010 p0100 p1000 audit\n"
            "  a5:tscatter.p1100 src=f32[8x8] dst=f32[8x8]\n"
            "              ^^^^^\n");
}

TEST(ParseError, ShowsALongTextInPart) {
  const std::string text =
      kGood + std::string(80, ' ') + "src=f32[8x8]" + std::string(80, ' ') + "dst=f32[16x16]";
  const std::string shown = render(parse(text).error(), text);
  EXPECT_NE(shown.find("..."), std::string::npos);
  for (std::size_t begin = 0; begin < shown.size(); begin = shown.find('\n', begin) + 1)
    EXPECT_LE(shown.find('\n', begin) - begin, 110u) << shown;
}

TEST(ParseError, RefusesAHundredKilobytesBriefly) {
  for (const std::string& unit : {std::string("a"), std::string("a5:"), std::string("[x"),
                                  kGood + " ", std::string("\xff")}) {
    std::string text;
    while (text.size() < 102400) text += unit;
    const Result<KernelSpec> spec = parse(text);
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error()[0].id, "text.length");
    EXPECT_LE(render(spec.error(), text).size(), 1000u);
  }
}

TEST(ParseError, ProductsThatOverflowAreAVerdictNotACrash) {
  const std::string rest =
      "mscatter.elem src=f32[2147483647x2147483647] idx=i32[2147483647x2147483647] "
      "table=f32[2147483647x2147483647x2147483647x2147483647x2147483647]";
  for (const std::string head : {"cpu:", "a2a3:", "a5:"}) {
    const std::string text = head + rest;
    const Result<KernelSpec> spec = parse(text);
    ASSERT_TRUE(spec) << render(spec.error(), text);
    const Result<LegalSpec> legal = verify(*spec);
    ASSERT_FALSE(legal);
    EXPECT_NE(render(legal.error()).find("scatter.size]"), std::string::npos);
    EXPECT_FALSE(legal.error()[0].suggestion.empty());
  }
}

}  // namespace
}  // namespace pto::jit::tests
