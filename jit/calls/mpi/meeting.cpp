// How the ranks of a spread table learn of each other's rows, and swap them.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "jit/calls/mpi/spread_state.h"

namespace pto::jit::mpi {
namespace {

// What each rank tells each other: how many rows, and what it takes part in.
using Words = std::array<std::int64_t, 2>;

std::vector<int> starts_of(const std::vector<int>& counts) {
  std::vector<int> out(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), out.begin(), 0);
  return out;
}

std::int64_t sum(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

Result<Meeting> meet(MPI_Comm comm, const Route& mine, std::uint64_t fingerprint) {
  const auto ranks = static_cast<std::size_t>(ranks_in(comm));
  const auto print = static_cast<std::int64_t>(fingerprint);
  std::vector<Words> told;
  for (const std::int32_t count : mine.counts) told.push_back({count, print});
  std::vector<Words> heard(ranks);
  if (Result<Done> done =
          checked(MPI_Alltoall(told.data(), 2, MPI_INT64_T, heard.data(), 2, MPI_INT64_T, comm),
                  "MPI_Alltoall");
      !done)
    return done.error();
  const bool is_alike =
      std::ranges::all_of(heard, [&](const Words& one) { return one[1] == print; });
  if (!is_alike)
    return error("spread.differs",
                 "the ranks do not move the same: operation, policies, dtype or width differ");
  Meeting out;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    out.sent.push_back(static_cast<int>(told[rank][0]));
    out.received.push_back(static_cast<int>(heard[rank][0]));
  }
  out.sent_rows = sum(out.sent);
  out.received_rows = sum(out.received);
  return out;
}

Result<Done> exchange(MPI_Comm comm, const Parcels& parcels) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(parcels.element), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const std::vector<int> out = starts_of(parcels.sent);
  const std::vector<int> in = starts_of(parcels.received);
  const int code = MPI_Alltoallv(parcels.out, parcels.sent.data(), out.data(), type, parcels.in,
                                 parcels.received.data(), in.data(), type, comm);
  MPI_Type_free(&type);
  return checked(code, "MPI_Alltoallv");
}

}  // namespace pto::jit::mpi
