#include <csignal>
#include <iostream>

#include "jit/tools/tool.h"
#ifdef PTOJIT_HAS_MPI
#include "jit/doors/mpi/cli/group_run.h"
#endif

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error that is reported
#ifdef PTOJIT_HAS_MPI
  using namespace pto::jit;
  const int code = cli::run_tool(argc, argv, std::cout, std::cerr, mpi::run_group);
  mpi::end_group();
  return code;
#else
  return pto::jit::cli::run_tool(argc, argv, std::cout, std::cerr);
#endif
}
