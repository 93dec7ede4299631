#include "tests/mpi/launched.h"

#include <regex>

#include "tests/support/paths.h"

namespace pto::jit::tests {

style::Outcome launch(int ranks, const std::string& command, Way way) {
  const std::string over =
      way == Way::Loopback ? " --mca btl self,tcp --mca btl_tcp_if_include lo --mca osc ^ucx" : "";
  // MPI keeps memory to its end.
  return style::run("export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; cd " +
                    style::quoted(build_root() + "/bin") +
                    " && timeout -k 5 240 mpirun --allow-run-as-root --oversubscribe "
                    "--mca mpi_yield_when_idle 1 -n " +
                    std::to_string(ranks) + over + (command[0] == '/' ? " " : " ./") + command);
}

::testing::AssertionResult holds(int ranks, const std::string& command, int claims, Way way) {
  const style::Outcome outcome = launch(ranks, command, way);
  std::smatch found;
  const bool is_told =
      std::regex_search(outcome.output, found, std::regex("claims (\\d+) failed 0\n"));
  if (outcome.exit_code == 0 && is_told && std::stoi(found[1].str()) >= claims)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << command << " by " << ranks << " ranks: exit " << outcome.exit_code << "\n"
         << outcome.output;
}

}  // namespace pto::jit::tests
