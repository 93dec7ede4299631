// What a Group holds.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "jit/calls/mpi/assembly.h"
#include "jit/calls/mpi/handles.h"
#include "jit/calls/mpi/mpi.h"
#include "jit/calls/ranks/asked_scatter.h"
#include "jit/calls/ranks/scatter_parts.h"
#include "runtime/operands.h"

namespace pto::jit::mpi {

// Members are given back from the last to the first: windows before their communicators.
struct Group::State {
  // A scatter that has been checked, for the next one that asks the same.
  struct Ready {
    AskedScatter asked;
    std::variant<DirectScatter, Delivery> move;
  };

  Assembly all;
  Communicator near;  // ranks that share memory with this one
  Window shared;      // of those
  Storage own;        // memory of a rank that shares none
  Window exposed;     // of all ranks, when some are out of the root's reach
  std::span<std::byte> memory;
  std::int32_t rank;
  ParallelGroup ranks;              // as this rank sees them
  Result<Done> last = Done{};       // how this rank fared since the last wait
  std::optional<Ready> ready = {};  // the root's last scatter
  SendingTimes times = {};          // of its puts

  // To free a window takes all ranks: those that still wait have to be told.
  ~State() { leave({}); }
  void leave(Diagnostics why) { all.leave(last ? std::move(why) : last.error()); }
};

}  // namespace pto::jit::mpi
