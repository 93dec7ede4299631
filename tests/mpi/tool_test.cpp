// The tool started by mpirun: who reads, who writes, and what all ranks say when one cannot.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

  // What all ranks say and, where it is not 0, "exit" and the code: the launcher takes a second to
  // end a command that failed.
  style::Outcome told(int ranks, const std::string& spec, const std::string& options) const {
    return launch(ranks, "/bin/sh -c " + quoted("./ptojit run " + quoted(spec) + " " + options +
                                                " || echo exit $?"));
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

constexpr const char* kPair =
    "cpu:comm.tscatter src=u32[4x2] dst=u32[2x2] stage=u32[2x2] ranks=2 root=0";
constexpr const char* kOpenPair =
    "cpu:comm.tscatter src=u16[?x?] dst=u16[3x?] stage=u16[8x64|?x?] ranks=2 root=0";

// However the two paths are spelled, and whether the file is there.
TEST_F(MpiTool, WritesNoFileFromTwoRanks) {
  put("src", numbered(8, 4));
  put("old", "before");
  std::filesystem::create_symlink("old", path("link"));
  std::filesystem::create_symlink(".", path("here"));
  const std::vector<std::pair<std::string, std::string>> pairs = {{path("new"), path("new")},
                                                                  {path("new"), path("here/./new")},
                                                                  {path("old"), path("here/link")},
                                                                  {"/dev/stdout", "/dev/fd/1"}};
  for (const auto& [first, second] : pairs) {
    const style::Outcome outcome = told(
        2, kPair, "--in src=" + path("src") + " --out dst.0=" + first + " --out dst.1=" + second);
    EXPECT_EQ(count(outcome.output, "exit 2\n"), 2) << outcome.output;
    EXPECT_EQ(count(outcome.output, "ranks 0 and 1 would write this file"), 2) << outcome.output;
    EXPECT_EQ(names(), (std::set<std::string>{"src", "old", "link", "here"}));
    EXPECT_EQ(get("old").size(), 6u);
  }
}

// What a pipe has is read once, and tells the shape as a file does.
TEST_F(MpiTool, ReadsAPipeOnce) {
  const Bytes payload = numbered(6 * 24, 2);
  put("src.npy", npy("{'descr': '<u2', 'fortran_order': False, 'shape': (6, 24), }\n", payload));
  ASSERT_EQ(::mkfifo(path("pipe.npy").c_str(), 0600), 0);
  std::thread writer(
      [&] { style::run("timeout 60 cp " + path("src.npy") + " " + path("pipe.npy")); });
  const style::Outcome outcome =
      mpi(2, kOpenPair, "--in src=" + path("pipe.npy") + " --out dst.1=" + path("dst1"));
  writer.join();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(get("dst1"), Bytes(payload.end() - 144, payload.end()));
}

TEST_F(MpiTool, GivesAPipeToOneRank) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const style::Outcome outcome = told(
      2, kPair,
      "--in src=" + path("pipe") + " --in dst.1=" + path("pipe") + " --out dst.1=" + path("dst1"));
  EXPECT_EQ(count(outcome.output, "exit 2\n"), 2) << outcome.output;
  EXPECT_EQ(count(outcome.output, "for src and for dst.1: it is a pipe"), 2) << outcome.output;
}

TEST_F(MpiTool, RefusesCommandLinesThatDiffer) {
  put("src", numbered(8, 4));
  const std::string same = quoted(kPair) + " --in src=" + path("src") + " --out dst.0=" + path("a");
  const std::string first = "ptojit run " + same + " : -n 1 ./ptojit ";
  for (const std::string& other : {"run " + same + " --bind nonsense", "run " + same + "a",
                                   "run " + quoted(kOpenPair) + " --out dst.1=x"}) {
    const style::Outcome outcome = launch(1, first + other + " : -n 1 ./ptojit run " + same);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_EQ(count(outcome.output, "rank 1 has another command line than rank 0"), 3)
        << outcome.output;
    EXPECT_EQ(names(), (std::set<std::string>{"src"}));
  }
  // Ends before it begins MPI, and the launcher ends the others.
  const style::Outcome outcome = launch(1, first + "run " + same + " --threads 2");
  EXPECT_NE(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("option.threads"), std::string::npos) << outcome.output;
  EXPECT_EQ(names(), (std::set<std::string>{"src"}));
}

// What only the root can know ends all ranks alike.
TEST_F(MpiTool, EndsEveryRankWithTheSameCode) {
  const Bytes payload = numbered(5 * 24, 2);
  put("src.npy", npy("{'descr': '<u2', 'fortran_order': False, 'shape': (5, 24), }\n", payload));
  const std::string in = "--in src=" + path("src.npy") + " --out dst.1=" + path("dst1");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {in, "exit 1\n"},
      {in + " --bind nonsense", "exit 2\n"},
      {in + " --bind src.d3=x", "exit 2\n"}};
  for (const auto& [options, code] : cases) {
    const style::Outcome outcome = told(2, kOpenPair, options);
    EXPECT_EQ(count(outcome.output, code), 2) << outcome.output;
    EXPECT_EQ(names(), (std::set<std::string>{"src.npy"}));
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
