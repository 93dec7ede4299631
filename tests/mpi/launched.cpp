#include "tests/mpi/launched.h"

#include "tests/support/paths.h"

namespace pto::jit::tests {

style::Outcome launch(int ranks, const std::string& command, Way way) {
  const std::string over =
      way == Way::Loopback ? " --mca btl self,tcp --mca btl_tcp_if_include lo --mca osc sm,pt2pt"
                           : "";
  return style::run("cd " + style::quoted(build_root() + "/bin") +
                    " && timeout -k 5 60 mpirun --allow-run-as-root --oversubscribe -n " +
                    std::to_string(ranks) + over + " ./" + command);
}

}  // namespace pto::jit::tests
