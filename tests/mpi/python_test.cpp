// ptojit.mpi on mpi4py's communicators, and that nothing else loads MPI.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/mpi/launched.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

std::string python() {
  return "/usr/bin/env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" +
         style::quoted(build_root() + "/python") + " /usr/bin/python3 ";
}

bool has_module() { return std::filesystem::exists(build_root() + "/python/ptojit/mpi.py"); }

TEST(MpiPython, ScattersAndSpreadsTables) {
  if (!has_module()) GTEST_SKIP() << "this build has no Python package; cmake says why";
  if (style::run("/usr/bin/python3 -c 'import mpi4py'").exit_code != 0)
    GTEST_SKIP() << "mpi4py is not installed (Debian: python3-mpi4py)";
  const style::Outcome outcome =
      launch(2, python() + style::quoted(source_root() + "/tests/mpi/programs/ranks.py"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "all is well\n");
}

TEST(MpiPython, IsAllOfThePackageThatLoadsMpi) {
  if (!has_module()) GTEST_SKIP() << "this build has no Python package; cmake says why";
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
