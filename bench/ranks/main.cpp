// Scatters to ranks beside memcpy and beside MPI's own: alone it measures the ranks of one process,
// under mpirun those of several, which should not be more than there are cores.
//
//   ptojit_ranks                                     in one process
//   mpirun -n 2 ptojit_ranks                         between processes
//   mpirun -n 2 ptojit_ranks puts                    only puts and messages
#include <string_view>

#include "bench/ranks/contest.h"

namespace pto::jit::bench {
namespace {

void measure_puts() {
  if (ranks() == 2) measure_messages();
  if (ranks() > 1) measure_sending();
}

void measure_all() {
  ranks() == 1 ? measure_process() : measure_processes();
  measure_puts();
  measure_spread();
}

int run(std::string_view part) {
  if (part != "" && part != "puts") {
    if (is_root()) std::fputs("ptojit_ranks [puts]\n", stderr);
    return 2;
  }
  part.empty() ? measure_all() : measure_puts();
  return 0;
}

}  // namespace
}  // namespace pto::jit::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = pto::jit::bench::run(argc > 1 ? argv[1] : "");
  MPI_Finalize();
  return code;
}
