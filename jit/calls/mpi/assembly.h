// Assembly: the ranks of a communicator that meet again and again. Before anything blocks each
// tells how it fares, and one that leaves tells that instead, so that nobody waits for a rank that
// is gone.
#pragma once

#include <optional>

#include "jit/calls/mpi/handles.h"

namespace pto::jit::mpi {

class Assembly {
 public:
  explicit Assembly(Communicator comm) : comm_(std::move(comm)) {}
  Assembly(Assembly&&) noexcept = default;
  Assembly& operator=(Assembly&&) = delete;
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;
  ~Assembly() { leave({}); }

  MPI_Comm get() const { return comm_.get(); }

  // Collective, as `agree` of status.h. An error without a meeting once a rank has left.
  Result<Done> agree(const Result<Done>& mine);

  // Ends all meetings: ranks that are in one, or come to one, get an error that says `why`.
  void leave(Diagnostics why);

 private:
  Communicator comm_;
  std::optional<Diagnostics> over_;  // why nobody meets any more
};

}  // namespace pto::jit::mpi
