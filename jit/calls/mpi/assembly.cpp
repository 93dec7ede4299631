#include "jit/calls/mpi/assembly.h"

#include <utility>

namespace pto::jit::mpi {

Result<Done> Assembly::agree(const Result<Done>& mine) {
  if (over_) return mine ? *over_ : mine;
  Round round = hold_round(get(), mine, Presence::Stays);
  if (round.is_last) over_ = round.outcome.error();
  return round.outcome;
}

void Assembly::leave(Diagnostics why) {
  if (over_ || get() == MPI_COMM_NULL || !is_running()) return;
  if (why.empty()) why = {error("mpi.left", "it meets the others no more")};
  hold_round(get(), why, Presence::Leaves);
  over_ = {error("mpi.left", "this rank has left")};
}

}  // namespace pto::jit::mpi
