// Scatters between processes: what arrives, by which of MPI's calls, and what goes wrong how.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "tests/mpi/launched.h"
#include "tests/support/names.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

// --- what arrives -------------------------------------------------------------------------------

class MpiScatter : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiScatter, ::testing::Values(1, 2, 3, 4, 8),
                         ::testing::PrintToStringParamName());

TEST_P(MpiScatter, ThroughSharedWindowsLeavesWhatTheModelDoes) {
  EXPECT_TRUE(holds(GetParam(), "ptojit_mpi_ranks cases shared", GetParam() * 50));
}

TEST_P(MpiScatter, ByPutLeavesWhatTheModelDoes) {
  EXPECT_TRUE(holds(GetParam(), "ptojit_mpi_ranks cases remote", GetParam() * 50));
}

TEST(MpiScatterWays, MixReachAndPutOnOneHost) {
  EXPECT_TRUE(holds(4, "ptojit_mpi_ranks cases pairs", 500));
}

TEST(MpiScatterWays, PackOrDescribeRowsAsTheyAreTold) {
  for (const char* mode : {"packed", "in_place"})
    EXPECT_TRUE(holds(3, std::string("ptojit_mpi_ranks cases ") + mode, 375)) << mode;
}

TEST(MpiScatterWays, TakeTheCallersMemory) {
  EXPECT_TRUE(holds(2, "ptojit_mpi_ranks cases exposed", 250));
}

TEST(MpiScatterWays, GoOverLoopback) {
  for (const char* mode : {"shared", "packed", "in_place", "exposed"})
    EXPECT_TRUE(holds(2, std::string("ptojit_mpi_ranks cases ") + mode, 250, Way::Loopback));
  EXPECT_TRUE(holds(4, "ptojit_mpi_ranks cases remote", 500, Way::Loopback));
}

TEST(MpiScatterWays, RememberWhatWasCheckedAndNothingElse) {
  for (const char* mode : {"shared", "remote"})
    EXPECT_TRUE(holds(2, std::string("ptojit_mpi_ranks again ") + mode, 30)) << mode;
}

// --- what goes wrong ----------------------------------------------------------------------------

TEST(MpiScatterErrors, OfAGroupAreKnownToEveryRank) {
  for (const Way way : {Way::Any, Way::Loopback})
    EXPECT_TRUE(holds(3, "ptojit_mpi_ranks errors groups", 30, way));
}

TEST(MpiScatterErrors, OfTheRootAreKnownToEveryRankThatWaits) {
  for (const char* mode : {"shared", "remote", "exposed"})
    EXPECT_TRUE(holds(3, std::string("ptojit_mpi_ranks errors ") + mode, 50)) << mode;
  EXPECT_TRUE(holds(3, "ptojit_mpi_ranks errors remote", 50, Way::Loopback));
}

TEST(MpiScatterErrors, OfARankThatLeavesAreKnownToThoseThatWait) {
  for (const char* mode : {"shared", "remote", "exposed"})
    EXPECT_TRUE(holds(3, std::string("ptojit_mpi_ranks leaving ") + mode, 34)) << mode;
}

double seconds_of_scatter(const std::string& mode, Way way) {
  const style::Outcome outcome = launch(2, "ptojit_mpi_ranks sleeper " + mode, way);
  std::smatch found;
  EXPECT_TRUE(std::regex_search(outcome.output, found, std::regex("took ([0-9.]+) s")))
      << outcome.output;
  EXPECT_NE(outcome.output.find("failed 0\n"), std::string::npos) << outcome.output;
  return found.empty() ? -1 : std::stod(found[1].str());
}

// The sleeper is away for a second and a half.
TEST(MpiScatterProgress, NeedsTheReceiverOnlyWhereDataGoThroughMessages) {
  EXPECT_LT(seconds_of_scatter("shared", Way::Any), 1.0);
  const double delayed = seconds_of_scatter("remote", Way::Loopback);
  std::printf("over loopback the root waited %.2f s for a rank outside of MPI\n", delayed);
  EXPECT_GT(delayed, 1.0);
  EXPECT_LT(delayed, 20.0);
}

// Open MPI ends all ranks when one is gone.
TEST(MpiScatterProgress, EndsByAbortWhenARankIsGone) {
  for (const char* how : {"killed", "killed_shared", "exits"}) {
    const auto start = std::chrono::steady_clock::now();
    const style::Outcome outcome = launch(3, std::string("ptojit_mpi_ranks missing ") + how);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_NE(outcome.exit_code, 0) << how;
    EXPECT_NE(outcome.output.find("mpirun"), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("claims"), std::string::npos) << outcome.output;
    EXPECT_LT(took.count(), 30.0) << how;
  }
}

// --- MPI's calls --------------------------------------------------------------------------------

Names calls_of_scatter(const std::string& mode) {
  const style::Outcome outcome = launch(2, "ptojit_mpi_calls " + mode);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  return names_in(outcome.output, "called (MPI_\\w+)\n");
}

// Every call that the library makes is one that the program watches.
TEST(MpiCalls, AreAllWatched) {
  const style::Outcome used =
      style::run("nm -u " + style::quoted(build_root() + "/lib/libptojit_mpi.a"));
  const Names made = names_in(used.output, " U (MPI_\\w+)\n");
  EXPECT_GE(made.size(), 20u) << used.output;
  const Names watched =
      names_in(launch(1, "ptojit_mpi_calls watched").output, "watched (MPI_\\w+)\n");
  for (const std::string& name : made) EXPECT_TRUE(watched.contains(name)) << name;
}

TEST(MpiCalls, ThroughSharedWindowsTransferNothing) {
  EXPECT_EQ(calls_of_scatter("shared"), Names{"MPI_Win_sync"});
}

// Datatypes describe rows that lie apart; they move nothing.
TEST(MpiCalls, OfOtherWindowsArePutsAndFlushes) {
  const Names staged = {"MPI_Put", "MPI_Win_flush_all", "MPI_Win_flush_local"};
  const Names direct = {"MPI_Put", "MPI_Win_flush_all"};
  const std::map<std::string, Names> expected = {
      {"measured", staged}, {"packed", staged}, {"in_place", direct}};
  for (const auto& [mode, names] : expected) {
    Names calls = calls_of_scatter(mode);
    EXPECT_GT(std::erase_if(calls, [](const auto& name) { return name.starts_with("MPI_Type_"); }),
              0u);
    EXPECT_EQ(calls, names) << mode;
  }
}

}  // namespace
}  // namespace pto::jit::tests
