// What ptojit run says about options it cannot use: the right exit code, what is accepted instead,
// and nothing written.
#include <gtest/gtest.h>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

using Words = std::initializer_list<std::string_view>;

class RunOptions : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    put("src", Bytes(256));
    put("idx", Bytes(32));
    put("table", Bytes(2048));
    put("ranks", Bytes(2048));
    before_ = names();
  }

  // Names stand for the files of the same name, so an argument reads as it is typed.
  ToolRun run(const std::string& spec, const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"run", spec};
    for (const std::string& argument : arguments) {
      const std::size_t at = argument.find("=@");
      all.push_back(at == std::string::npos
                        ? argument
                        : argument.substr(0, at + 1) + path(argument.substr(at + 2)));
    }
    return tool(all);
  }

  void expect_refused(int exit, const std::string& spec, const std::vector<std::string>& arguments,
                      Words words) const {
    const ToolRun done = run(spec, arguments);
    EXPECT_TRUE(done.fails(exit, words)) << spec;
    EXPECT_EQ(names(), before_);
  }

  std::set<std::string> before_;
};

const std::string kStatic = "a5:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[64x32]";
const std::string kOpen = "a5:mscatter.row src=u8[8x32|?x32] idx=i32[1x8|1x?] table=u8[?x32]";
const std::string kGroup =
    "a5:comm.tscatter src=u8[64x32] dst=u8[16x32] stage=u8[16x32] ranks=4 root=0";

const std::vector<std::string> kGood = {"--in",     "src=@src", "--in",
                                        "idx=@idx", "--out",    "table=@out"};

std::vector<std::string> good_and(std::initializer_list<std::string> more) {
  std::vector<std::string> out = kGood;
  out.insert(out.end(), more);
  return out;
}

TEST_F(RunOptions, ThreadsAndPartsLeaveTheSame) {
  put("src", numbered(256, 1));
  put("idx", indices({3, 1, 3, 63, 0, 1, 7, 3}));
  ASSERT_EQ(run(kStatic, kGood).exit, 0);
  const Bytes whole = get("out");
  for (const auto& more :
       {std::initializer_list<std::string>{"--parts", "5"}, {"--parts", "64", "--threads", "1"}}) {
    ASSERT_EQ(run(kStatic, good_and(more)).exit, 0);
    EXPECT_EQ(get("out"), whole);
  }
}

TEST_F(RunOptions, NumbersOfThreadsAndPartsAreChecked) {
  expect_refused(2, kStatic, good_and({"--threads", "0"}), {"option.threads", "from 1 to 1024"});
  expect_refused(2, kStatic, good_and({"--threads", "1025"}), {"option.threads", "1025"});
  expect_refused(2, kStatic, good_and({"--parts", "0"}), {"option.parts", "from 1 to 65536"});
  expect_refused(2, kStatic, good_and({"--parts", "many"}), {"many"});
}

TEST_F(RunOptions, GoodOnesAreTaken) {
  EXPECT_EQ(run(kStatic, kGood).exit, 0);
  EXPECT_EQ(run(kOpen, good_and({"--bind", "src.vr=8,table.d3=64"})).exit, 0);
  EXPECT_EQ(run(kOpen, good_and({"--bind", "src.vr=8", "--bind", "table.d3=64,idx.vc=8"})).exit, 0);
  EXPECT_EQ(run(kOpen, good_and({"--bind", "src.vr=8,src.vr=8,table.d3=64,src.vc=32"})).exit, 0);
  EXPECT_EQ(run(kStatic, good_and({"--bind", ""})).exit, 0);
  EXPECT_EQ(run(kStatic, good_and({"--backend", "interpreter"})).exit, 0);
}

TEST_F(RunOptions, ASpecThatCannotBeReadOrIsIllegalEndsEarly) {
  expect_refused(2, "a5:mscatter.raw src=u8[8x32]", kGood, {"text.suffix", "^^^"});
  expect_refused(1, "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
                 kGood, {"a2a3.scatter.atomic", "try:"});
  EXPECT_EQ(tool({"run"}).exit, 2);
}

TEST_F(RunOptions, EveryReadOperandNeedsAFile) {
  expect_refused(2, kStatic, {"--out", "table=@out"},
                 {"option.missing", "--in src=FILE --in idx=FILE"});
  expect_refused(2, kStatic, {"--in", "idx=@idx", "--out", "table=@out"}, {"give --in src=FILE\n"});
  expect_refused(2, kGroup, {"--out", "dst.0=@out"}, {"give --in src=FILE\n"});
}

TEST_F(RunOptions, ThereIsAnOutput) {
  expect_refused(2, kStatic, {"--in", "src=@src", "--in", "idx=@idx"},
                 {"no --out", "--out takes table"});
  expect_refused(2, kGroup, {"--in", "src=@ranks"}, {"--out takes dst.0 to dst.3"});
}

TEST_F(RunOptions, OnlyWhatIsWrittenGoesOut) {
  expect_refused(2, kStatic, good_and({"--out", "src=@other"}),
                 {"src is read, not written", "--out takes table"});
  expect_refused(2, kGroup, {"--in", "src=@ranks", "--out", "src=@other"},
                 {"src is read, not written", "dst.0 to dst.3"});
}

TEST_F(RunOptions, NamesAreOperands) {
  expect_refused(2, kStatic, good_and({"--in", "tabel=@table"}),
                 {"'tabel' is not an operand of mscatter", "--in takes src idx table"});
  expect_refused(2, kStatic, good_and({"--in", "srcs=@src"}), {"'srcs'"});
  expect_refused(2, kStatic, good_and({"--in", "src.0=@src"}), {"'src.0'"});
  for (const std::string name :
       {"dst", "dst.4", "dst.-1", "dst.00", "dst.", "dst.1x", "dst0", "stage", "dst.99999999999"}) {
    expect_refused(2, kGroup, {"--in", "src=@ranks", "--out", name + "=@out"},
                   {"'" + name + "'", "--out takes dst.0 to dst.3"});
  }
  expect_refused(2, kGroup, {"--in", "src=@ranks", "--in", "stage=@src", "--out", "dst.0=@out"},
                 {"'stage'", "--in takes src dst.0 to dst.3"});
}

TEST_F(RunOptions, FilesAreNameAndPath) {
  for (const std::string text : {"src", "=file", "src=", "=", ""}) {
    expect_refused(2, kStatic, {"--in", text, "--in", "idx=@idx", "--out", "table=@out"},
                   {"--in '" + text + "' is not NAME=FILE", "--in takes src idx table"});
  }
  expect_refused(2, kStatic, {"--in", "src=@src", "--in", "idx=@idx", "--out", "out"},
                 {"--out 'out' is not NAME=FILE", "--out takes table"});
}

TEST_F(RunOptions, NothingIsGivenTwice) {
  expect_refused(2, kStatic, good_and({"--in", "src=@src"}), {"--in gives src twice"});
  expect_refused(2, kStatic, good_and({"--out", "table=@two"}), {"--out gives table twice"});
  expect_refused(2, kGroup, {"--in", "src=@ranks", "--out", "dst.1=@a", "--out", "dst.1=@b"},
                 {"--out gives dst.1 twice"});
}

TEST_F(RunOptions, TwoOutputsDoNotShareAPath) {
  expect_refused(2, kGroup, {"--in", "src=@ranks", "--out", "dst.1=@a", "--out", "dst.2=@a"},
                 {"two outputs go to this path"});
}

TEST_F(RunOptions, AnUnknownBackendIsNamed) {
  for (const std::string name : {"xbjak", "", "Interpreter"}) {
    expect_refused(2, kStatic, good_and({"--backend", name}), {"'" + name + "'", "interpreter"});
  }
}

TEST_F(RunOptions, EveryOpenDimensionNeedsAValue) {
  expect_refused(2, kOpen, kGood, {"bind.missing", "src.vr idx.vc table.d3"});
  expect_refused(2, kOpen, good_and({"--bind", "table.d3=4"}), {"no value for src.vr idx.vc"});
}

TEST_F(RunOptions, BindsAreNamesAndNumbers) {
  struct Bad {
    std::string text;
    std::string_view word;
  };
  const Bad cases[] = {
      {"src.vr", "'src.vr' is not NAME=N"},
      {"src.vr=8,", "'' is not NAME=N"},
      {",src.vr=8", "'' is not NAME=N"},
      {"src.vr=8 table.d3=64", "'8 table.d3=64' is not a number"},
      {"src.vr=", "'' is not a number"},
      {"src.vr=x", "'x' is not a number"},
      {"src.vr=-1", "'-1' is not a number"},
      {"src.vr=+1", "'+1' is not a number"},
      {"src.vr=1.5", "'1.5' is not a number"},
      {"src.vr=99999999999999999999", "too large"},
      {"src.vr=2147483648,table.d3=64", "runs from 0 to 2147483647"},
      {"vr=8", "'vr' is not a dimension of mscatter"},
      {"src.rows=8", "this spec leaves src.vr idx.vc table.d3 to run time"},
      {"dst.vr=8", "'dst.vr'"},
      {"table.s3=8", "the table is packed"},
  };
  for (const Bad& entry : cases) {
    expect_refused(2, kOpen, good_and({"--bind", entry.text}), {"error[bind.", entry.word});
  }
  expect_refused(2, kStatic, good_and({"--bind", "src=8"}), {"leaves nothing to run time"});
}

TEST_F(RunOptions, AWrongBindIsPointedAt) {
  expect_refused(2, kOpen, good_and({"--bind", "src.vr=8", "--bind", "src.vx=1"}),
                 {"  src.vr=8,src.vx=1\n           ^^^^^^\n"});
}

TEST_F(RunOptions, ADimensionHasOneValue) {
  expect_refused(2, kOpen, good_and({"--bind", "src.vr=8,src.vr=7,table.d3=64"}),
                 {"bind.contradiction", "src.vr is 8, not 7"});
  expect_refused(2, kOpen, good_and({"--bind", "src.vc=31,src.vr=8,table.d3=64"}),
                 {"src.vc is 32, not 31"});
}

TEST_F(RunOptions, TiedDimensionsAgree) {
  expect_refused(1, kOpen, good_and({"--bind", "src.vr=8,idx.vc=7,table.d3=64"}),
                 {"a5.scatter.index.shape", "idx.vc is 7, src.vr is 8"});
}

TEST_F(RunOptions, ValidIsNeverBeyondPadded) {
  expect_refused(1, kOpen, good_and({"--bind", "src.vr=9,table.d3=64"}), {"valid", "9x32 in 8x32"});
}

TEST_F(RunOptions, AnUnknownBackendIsFoundBeforeFilesAre) {
  expect_refused(
      2, kStatic,
      {"--backend", "fast", "--in", "src=@none", "--in", "idx=@none", "--out", "table=@out"},
      {"option.backend", "'fast'"});
}

}  // namespace
}  // namespace pto::jit::tests
