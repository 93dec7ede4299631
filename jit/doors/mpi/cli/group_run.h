// ptojit run under mpirun: the root reads the source, each rank writes its own part.
#pragma once

#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"

namespace pto::jit::mpi {

// Begins MPI. What goes wrong on one rank ends the run on all of them, and nothing is written.
cli::Outcome run_group(const cli::KernelOptions& options);

// Ends MPI where it was begun. The launcher ends everybody when one rank exits with an error, and
// no rank gets past this before all have come to it, with what they had to say.
void end_group();

}  // namespace pto::jit::mpi
