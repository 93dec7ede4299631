// What MPI's calls return, as diagnostics; and a verdict that all ranks share.
#pragma once

#include <mpi.h>

#include <string>

#include "ir/result.h"

namespace pto::jit::mpi {

// `call` is named in the error.
Result<Done> checked(int code, const std::string& call);

// Collective: whether all went well on every rank. A rank where it did not keeps its own
// diagnostics; the others are told the first such rank and what it said.
Result<Done> agree(MPI_Comm comm, const Result<Done>& mine);

int rank_in(MPI_Comm comm);
int ranks_in(MPI_Comm comm);

// Whether MPI can be called: between MPI_Init and MPI_Finalize.
bool is_running();

}  // namespace pto::jit::mpi
