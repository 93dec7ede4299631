// What MPI's calls return, as diagnostics; and a verdict that all ranks share.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "ir/result.h"

namespace pto::jit::mpi {

// `call` is named in the error.
Result<Done> checked(int code, const std::string& call);

// Collective: whether all went well on every rank. A rank where it did not keeps its own
// diagnostics; the others get the first of the first such rank, whose message then names that rank.
Result<Done> agree(MPI_Comm comm, const Result<Done>& mine);

// Whether there is a value, as a result without it.
template <class T>
Result<Done> outcome_of(const Result<T>& result) {
  return result ? Result<Done>(Done{}) : result.error();
}

// The same where a rank may leave, with an error that says why. Where some stay, they get that one.
struct Round {
  Result<Done> outcome = Done{};
  bool is_last = false;  // a rank has left
};
enum class Presence : std::uint8_t { Leaves, Stays };
Round hold_round(MPI_Comm comm, const Result<Done>& mine, Presence presence);

int rank_in(MPI_Comm comm);
int ranks_in(MPI_Comm comm);

// Whether MPI can be called: between MPI_Init and MPI_Finalize.
bool is_running();

}  // namespace pto::jit::mpi
