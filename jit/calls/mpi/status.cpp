#include "jit/calls/mpi/status.h"

#include <algorithm>
#include <array>

namespace pto::jit::mpi {
namespace {

constexpr std::array kTold = {&Diagnostic::id, &Diagnostic::message, &Diagnostic::rule,
                              &Diagnostic::from};

// The first diagnostic of the speaker's error, on every rank; else why it was not heard.
Diagnostic tell(MPI_Comm comm, int speaker, const Result<Done>& mine) {
  std::string text;
  if (rank_in(comm) == speaker && !mine && !mine.error().empty()) {
    for (const auto field : kTold) text += mine.error().front().*field + '\0';
  }
  auto bytes = static_cast<int>(text.size());
  Result<Done> told = checked(MPI_Bcast(&bytes, 1, MPI_INT, speaker, comm), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(bytes));
  if (told) told = checked(MPI_Bcast(text.data(), bytes, MPI_CHAR, speaker, comm), "MPI_Bcast");
  if (!told) return told.error().front();
  Diagnostic out;
  for (std::size_t i = 0, at = 0; i < kTold.size(); at = text.find('\0', at) + 1, ++i)
    out.*kTold[i] = text.c_str() + at;
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
  return hold_round(comm, mine, Presence::Stays).outcome;
}

// One that leaves is heard before one that failed.
Round hold_round(MPI_Comm comm, const Result<Done>& mine, Presence presence) {
  const int size = ranks_in(comm);
  const int rank = rank_in(comm);
  const bool leaves = presence == Presence::Leaves;
  int least[] = {leaves ? rank : mine ? 2 * size : size + rank, leaves ? 1 : 0};
  if (Result<Done> told =
          checked(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
      !told)
    return {mine ? told : mine, leaves};
  const bool is_last = least[0] < size;
  const bool is_silent = least[0] == 2 * size || least[1] == 1;  // all is well, or all leave
  if (is_silent) return {mine, is_last};
  const int speaker = least[0] % size;
  Diagnostic told = tell(comm, speaker, mine);
  if (!mine) return {mine, is_last};
  told.message =
      "rank " + std::to_string(speaker) + (is_last ? " left: " : " failed: ") + told.message;
  return {told, is_last};
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
