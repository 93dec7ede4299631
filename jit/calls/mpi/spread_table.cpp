#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "ir/quantity.h"
#include "jit/calls/mpi/spread_state.h"

namespace pto::jit::mpi {
namespace {

constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();

// What a rank brings; all but its rows must be alike.
struct Offer {
  std::int64_t dtype = 0;
  std::int64_t width = 0;
  std::int64_t pitch = 0;
  std::int64_t rows_per_rank = 0;
  std::int64_t rows = 0;
};

std::string text_of(const Offer& offer) {
  return "rows of " + std::to_string(offer.width) + " " +
         std::string(name_of(static_cast<DType>(offer.dtype))) + ", " +
         std::to_string(offer.pitch) + " apart, " + std::to_string(offer.rows_per_rank) + " a rank";
}

Diagnostic refuse(const char* id, std::string message) {
  return error("spread." + std::string(id), std::move(message));
}

Result<Offer> read_view(const BufferView& local, std::int64_t rows_per_rank) {
  const bool is_strided = local.strides.size() == 2 && local.strides[1] == 1;
  if (local.shape.size() != 2 || (!local.strides.empty() && !is_strided))
    return refuse("shape", "a rank's part has two extents, rows and width, and rows without gaps");
  const Offer out = {static_cast<std::int64_t>(local.dtype), local.shape[1],
                     is_strided ? local.strides[0] : local.shape[1], rows_per_rank, local.shape[0]};
  const std::int64_t most = kMostRows;
  if (out.rows < 0 || out.rows > most || out.width < 1 || out.width > most ||
      out.pitch < out.width || rows_per_rank < 1 || rows_per_rank > most)
    return refuse("shape", "a rank's part has " + std::to_string(out.rows) + " " + text_of(out));
  if (out.rows == 0) return out;
  const auto element = jit::size_of(local.dtype);
  const std::int64_t needed = saturating_product(
      saturating_sum(saturating_product(out.rows - 1, out.pitch), out.width), element);
  if (local.data == nullptr || local.bytes < needed) {
    return refuse("size", "a rank's part has " + std::to_string(local.bytes) + " bytes and needs " +
                              std::to_string(needed));
  }
  if (reinterpret_cast<std::uintptr_t>(local.data) % static_cast<std::uintptr_t>(element) != 0)
    return refuse("alignment", "a rank's part is not aligned to its elements");
  return out;
}

// Every rank sees all offers; the sum of their rows, or what is wrong.
Result<std::int64_t> compare(MPI_Comm comm, const Offer& mine) {
  std::vector<Offer> all(static_cast<std::size_t>(ranks_in(comm)));
  constexpr int kWords = sizeof(Offer) / sizeof(std::int64_t);
  if (Result<Done> told =
          checked(MPI_Allgather(&mine, kWords, MPI_INT64_T, all.data(), kWords, MPI_INT64_T, comm),
                  "MPI_Allgather");
      !told)
    return told.error();
  std::int64_t rows = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Offer other = all[rank];
    rows += other.rows;
    if (text_of(other) != text_of(all[0])) {
      return refuse("differs", "rank 0 has " + text_of(all[0]) + ", rank " + std::to_string(rank) +
                                   " has " + text_of(other));
    }
  }
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::int64_t first = static_cast<std::int64_t>(rank) * mine.rows_per_rank;
    const std::int64_t due = std::clamp<std::int64_t>(rows - first, 0, mine.rows_per_rank);
    if (all[rank].rows == due) continue;
    return refuse("rows", "rank " + std::to_string(rank) + " has " +
                              std::to_string(all[rank].rows) + " of " + std::to_string(rows) +
                              " rows; " + std::to_string(mine.rows_per_rank) + " a rank make it " +
                              std::to_string(due));
  }
  return rows;
}

}  // namespace

Result<SpreadTable> SpreadTable::make(MPI_Comm comm, const Result<BufferView>& local,
                                      std::int64_t rows_per_rank) {
  Result<Communicator> copy = duplicate(comm);
  if (!copy) return copy.error();
  const Result<Offer> offer =
      local ? read_view(*local, rows_per_rank) : Result<Offer>(local.error());
  if (Result<Done> all = agree(copy->get(), outcome_of(offer)); !all) return all.error();
  const Result<std::int64_t> rows = compare(copy->get(), *offer);
  if (!rows) return rows.error();
  const SpreadShape shape = {local->dtype, *rows, rows_per_rank, offer->width, offer->pitch};
  const int rank = rank_in(copy->get());
  const int size = ranks_in(copy->get());
  return SpreadTable(std::unique_ptr<State>(new State{Assembly(std::move(*copy)), rank, size, shape,
                                                      static_cast<std::byte*>(local->data),
                                                      offer->rows, local->is_const}));
}

SpreadTable::SpreadTable(std::unique_ptr<State> state) : state_(std::move(state)) {}
SpreadTable::SpreadTable(SpreadTable&& other) noexcept = default;
SpreadTable& SpreadTable::operator=(SpreadTable&& other) noexcept = default;
SpreadTable::~SpreadTable() = default;

std::int32_t SpreadTable::rank() const { return state_->rank; }
std::int32_t SpreadTable::size() const { return state_->size; }
std::int64_t SpreadTable::rows() const { return state_->shape.rows; }

Result<Done> SpreadTable::refuse(const Diagnostics& why) { return state_->all.agree(why); }
void SpreadTable::leave(Diagnostics why) { state_->all.leave(std::move(why)); }

}  // namespace pto::jit::mpi
