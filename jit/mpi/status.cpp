#include "jit/mpi/status.h"

#include <algorithm>
#include <array>

namespace pto::jit::mpi {
namespace {

using Text = std::array<char, 512>;

Text text_of(const Result<Done>& result) {
  Text out{};
  if (result || result.error().empty()) return out;
  const Diagnostic& first = result.error().front();
  const std::string text = first.id + ": " + first.message;
  std::copy_n(text.begin(), std::min(text.size(), out.size() - 1), out.begin());
  return out;
}

}  // namespace

Result<Done> checked(int code, const std::string& call) {
  if (code == MPI_SUCCESS) return Done{};
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return error("mpi.call", call + ": " + std::string(text.data()));
}

Result<Done> agree(MPI_Comm comm, const Result<Done>& mine) {
  const int size = ranks_in(comm);
  int first = mine ? size : rank_in(comm);
  if (Result<Done> told =
          checked(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
      !told)
    return mine ? told : mine;
  if (first == size) return Done{};
  Text text = text_of(mine);
  if (Result<Done> told =
          checked(MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, first, comm),
                  "MPI_Bcast");
      !told)
    return mine ? told : mine;
  if (!mine) return mine;
  return error("mpi.rank", "rank " + std::to_string(first) + " failed: " + text.data());
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_in(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

bool is_running() {
  int is_begun = 0;
  int is_over = 0;
  MPI_Initialized(&is_begun);
  MPI_Finalized(&is_over);
  return is_begun != 0 && is_over == 0;
}

}  // namespace pto::jit::mpi
