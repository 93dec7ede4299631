// What a SpreadTable holds, and how its ranks meet.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/calls/mpi/assembly.h"
#include "jit/calls/mpi/mpi.h"
#include "jit/calls/ranks/spread_call.h"
#include "runtime/operands.h"

namespace pto::jit::mpi {

struct SpreadTable::State {
  Assembly all;
  std::int32_t rank;
  std::int32_t size;
  SpreadShape shape;
  std::byte* memory;
  std::int64_t local_rows;
  bool is_const;
  // Kept from call to call, and only ever larger: fresh memory costs more than copying into it.
  Storage asked = {};     // rows that others name
  Storage outgoing = {};  // rows on their way
  Storage incoming = {};
};

// How many rows go to, and come from, each rank.
struct Meeting {
  std::vector<int> sent;
  std::vector<int> received;
  std::int64_t sent_rows = 0;
  std::int64_t received_rows = 0;
};

// Collective. Ranks whose fingerprints differ do not want the same; then all of them get an error.
Result<Meeting> meet(MPI_Comm comm, const Route& mine, std::uint64_t fingerprint);

// Collective: what each rank has for the others, in the order of ranks.
struct Parcels {
  const void* out;
  const std::vector<int>& sent;
  void* in;
  const std::vector<int>& received;
  std::int64_t element;  // bytes
};
Result<Done> exchange(MPI_Comm comm, const Parcels& parcels);

}  // namespace pto::jit::mpi
