// What a Group holds.
#pragma once

#include <cstddef>
#include <span>

#include "jit/mpi/handles.h"
#include "jit/mpi/mpi.h"
#include "runtime/operands.h"

namespace pto::jit::mpi {

// Members are given back from the last to the first: windows before their communicators.
struct Group::State {
  Communicator comm;
  Communicator near;  // ranks that share memory with this one
  Window shared;      // of those
  Storage own;        // memory of a rank that shares none
  Window exposed;     // of all ranks, when some are out of the root's reach
  std::span<std::byte> memory;
  std::int32_t rank;
  ParallelGroup ranks;         // as this rank sees them
  Result<Done> last = Done{};  // how the scatters since the last wait went
};

}  // namespace pto::jit::mpi
