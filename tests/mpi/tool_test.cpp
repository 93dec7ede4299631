// The tool started by mpirun: who reads, who writes, and what all ranks say when one cannot.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/tool_fixture.h"
#include "tests/mpi/launched.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

using style::quoted;

class MpiTool : public ToolTest {
 protected:
  style::Outcome mpi(int ranks, const std::string& spec, const std::string& options,
                     Way way = Way::Any) const {
    return launch(ranks, "ptojit run " + quoted(spec) + " " + options, way);
  }

  std::string out(int ranks) const {
    std::string all;
    for (int rank = 0; rank < ranks; ++rank)
      all += " --out dst." + std::to_string(rank) + "=" + path("dst" + std::to_string(rank));
    return all;
  }
};

constexpr const char* kSpec =
    "a5:comm.tscatter.pingpong src=f32[17x40@44x1] dst=f32[4x40] stage=f32[2x8] ranks=4 root=1";

TEST_F(MpiTool, WritesWhatOneProcessWrites) {
  const std::string in = " --in src=" + put("src", numbered(44 * 17, 4));
  ASSERT_EQ(tool({"run", kSpec, "--in", "src=" + path("src"), "--out", "dst.0=" + path("one0"),
                  "--out", "dst.1=" + path("one1"), "--out", "dst.2=" + path("one2"), "--out",
                  "dst.3=" + path("one3")})
                .exit,
            0);
  for (const Way way : {Way::Any, Way::Loopback}) {
    const style::Outcome outcome = mpi(4, kSpec, in + out(4), way);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_EQ(outcome.output, "");
    for (const std::string rank : {"0", "1", "2", "3"}) {
      EXPECT_EQ(get("dst" + rank), get("one" + rank)) << rank;
      std::filesystem::remove(path("dst" + rank));
    }
  }
}

// The shape of the root's array is all that tells how wide the rows are.
TEST_F(MpiTool, TellsEveryRankWhatTheSourceTells) {
  const Bytes payload = numbered(6 * 24, 2);
  put("src.npy", npy("{'descr': '<u2', 'fortran_order': False, 'shape': (6, 24), }\n", payload));
  const style::Outcome outcome =
      mpi(2, "cpu:comm.tscatter src=u16[?x?] dst=u16[3x?] stage=u16[8x64|?x?] ranks=2 root=0",
          "--in src=" + path("src.npy") + " --out dst.1=" + path("dst1.npy"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  const Bytes file = get("dst1.npy");
  ASSERT_GE(file.size(), 144u);
  EXPECT_EQ(Bytes(file.end() - 144, file.end()), Bytes(payload.end() - 144, payload.end()));
  EXPECT_EQ(names(), (std::set<std::string>{"src.npy", "dst1.npy"}));
}

TEST_F(MpiTool, KeepsWhatADestinationHadBetweenItsRows) {
  put("src", numbered(8, 4));
  put("dst1", Bytes(28, std::byte{9}));
  const style::Outcome outcome = mpi(
      2, "cpu:comm.tscatter src=u32[4x2] dst=u32[2x2@5x1] stage=u32[2x8|?x?] ranks=2 root=0",
      "--in src=" + path("src") + " --in dst.1=" + path("dst1") + " --out dst.1=" + path("dst1"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  Bytes expected(28, std::byte{9});
  const Bytes source = get("src");
  std::copy_n(source.begin() + 16, 8, expected.begin());
  std::copy_n(source.begin() + 24, 8, expected.begin() + 20);
  EXPECT_EQ(get("dst1"), expected);
}

// --- what goes wrong ----------------------------------------------------------------------------

int count(const std::string& text, const std::string& word) {
  int out = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++out;
  return out;
}

TEST_F(MpiTool, FailsOnEveryRankAndWritesNothing) {
  put("src", numbered(44 * 17, 4));
  put("short", numbered(44 * 16, 4));
  struct Bad {
    int ranks;
    std::string spec;
    std::string options;
    std::string id;
    int exit;
    int told = 0;  // ranks that see the error itself; the others are told of it
  };
  const std::string in = " --in src=" + path("src") + out(4);
  const std::string rows =
      "a5:comm.tscatter src=f32[15x40] dst=f32[4x40] stage=f32[4x40] ranks=4 "
      "root=1";
  const std::vector<Bad> all = {
      {3, kSpec, in, "group.ranks", 2, 3},
      {4, rows, in, "a5.comm.group.rows", 1, 4},
      {4, kSpec, " --in src=" + path("short") + out(4), "file.size", 2, 1},
      {4, kSpec, " --in src=" + path("absent") + out(4), "file.read", 2, 1},
      {4, kSpec, in + "x/y", "file.write", 2, 1},
      {4, kSpec, out(4), "option.missing", 2, 4},
  };
  for (const Bad& bad : all) {
    const style::Outcome outcome = mpi(bad.ranks, bad.spec, bad.options);
    EXPECT_EQ(outcome.exit_code, bad.exit) << outcome.output;
    EXPECT_EQ(count(outcome.output, "error[" + bad.id + "]"), bad.ranks) << outcome.output;
    EXPECT_EQ(count(outcome.output, " failed: "), bad.ranks - bad.told) << outcome.output;
    EXPECT_EQ(names(), (std::set<std::string>{"src", "short"}));
  }
}

TEST_F(MpiTool, WithoutALauncherRunsAllRanksItself) {
  put("src", numbered(44 * 17, 4));
  const style::Outcome outcome = style::run(quoted(tool_path()) + " run " + quoted(kSpec) +
                                            " --in src=" + path("src") + out(4));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(names(), (std::set<std::string>{"src", "dst0", "dst1", "dst2", "dst3"}));
}

// MPI would fail to begin here, where it is told to use what does not exist.
TEST_F(MpiTool, BeginsMpiForGroupsAlone) {
  const style::Outcome outcome = style::run(
      "OMPI_COMM_WORLD_SIZE=2 OMPI_MCA_pml=none " + quoted(tool_path()) +
      " check 'a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]' 2>&1 | head -1");
  EXPECT_EQ(outcome.output, "legal: a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]\n");
}

}  // namespace
}  // namespace pto::jit::tests
