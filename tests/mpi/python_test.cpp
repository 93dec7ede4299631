// ptojit.mpi on mpi4py's communicators, and that nothing else loads MPI.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/mpi/launched.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

std::string python() {
  return "/usr/bin/env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" +
         style::quoted(build_root() + "/python") + " /usr/bin/python3 ";
}

bool has_module() { return std::filesystem::exists(build_root() + "/python/ptojit/mpi.py"); }

class MpiPython : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_module()) GTEST_SKIP() << "this build has no Python package; cmake says why";
    if (style::run("/usr/bin/python3 -c 'import mpi4py'").exit_code != 0)
      GTEST_SKIP() << "mpi4py is not installed (Debian: python3-mpi4py)";
  }
};

TEST_F(MpiPython, ScattersAndSpreadsTables) {
  const style::Outcome outcome =
      launch(2, python() + style::quoted(source_root() + "/tests/mpi/programs/ranks.py"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "all is well\n");
}

TEST_F(MpiPython, TellsEveryRankWhatOneIsRefused) {
  const style::Outcome outcome =
      launch(2, python() + style::quoted(source_root() + "/tests/mpi/programs/refused.py"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "all is well\n");
}

// A process that an exception ends before it waits, as whoever did not think of others writes it.
TEST_F(MpiPython, EndsTheWaitsForARankThatEnds) {
  const std::string spec =
      "a5:comm.tscatter src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=0";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"open('/absent')", "mpi.left]: rank 0 left: FileNotFoundError: "},
      {"sys.exit(3)", "mpi.left]: rank 0 left: "},
      {"group.scatter('" + spec + "', np.zeros((8, 8), '>f4'))",
       "call.dtype]: rank 0 left: src is "}};
  for (const auto& [last, told] : cases) {
    const std::string program =
        "import sys\nimport numpy as np\nfrom mpi4py import MPI\nimport ptojit.mpi\n"
        "def main():\n  group = ptojit.mpi.Group(MPI.COMM_WORLD, 'f32', (4, 8))\n"
        "  if group.rank == 0: " +
        last + "\n  group.wait()\n  print('went on')\nmain()\n";
    const style::Outcome outcome = launch(2, python() + "-c " + style::quoted(program));
    EXPECT_NE(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.exit_code, 124) << "the time limit ended it";
    EXPECT_NE(outcome.output.find(told), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("went on"), std::string::npos) << outcome.output;
  }
}

TEST_F(MpiPython, IsAllOfThePackageThatLoadsMpi) {
  const style::Outcome outcome = style::run(
      python() + "-c \"import ptojit; print('libmpi' in open('/proc/self/maps').read())\"");
  EXPECT_EQ(outcome.output, "False\n");
}

TEST(MpiLibrary, IsNotWhatTheLibraryLoads) {
  const style::Outcome outcome =
      style::run("readelf -dW " + style::quoted(build_root() + "/lib/libptojit.so"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output.find("mpi"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace pto::jit::tests
