// What ranks that a launcher started must have in common, and what they must not.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "ir/result.h"
#include "jit/doors/cli/kernel_run.h"

namespace pto::jit::mpi {

// Collective: an error on all ranks, which names those that were not started as rank 0 was.
Result<Done> compare_commands(MPI_Comm comm, const cli::KernelOptions& options);

// Collective: an error on all ranks when two of them write one file. `mine` is this rank's output,
// empty where it has none, of all those `given` with --out.
Result<Done> compare_outputs(MPI_Comm comm, const std::vector<std::string>& given,
                             const std::string& mine);

}  // namespace pto::jit::mpi
