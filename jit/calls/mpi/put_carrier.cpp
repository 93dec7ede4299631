#include "jit/calls/mpi/put_carrier.h"

#include <algorithm>

#include "jit/calls/mpi/status.h"

namespace pto::jit::mpi {
namespace {

// MPI counts in ints, so that longer runs are blocks of so many bytes and a rest.
constexpr std::int64_t kBlock = std::int64_t{1} << 30;

MPI_Datatype type_of_run(std::int64_t bytes) {
  MPI_Datatype rest = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes % kBlock), MPI_BYTE, &rest);
  if (bytes < kBlock) return rest;
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(kBlock), MPI_BYTE, &block);
  const int counts[] = {static_cast<int>(bytes / kBlock), 1};
  const MPI_Aint places[] = {0, bytes - bytes % kBlock};
  const MPI_Datatype types[] = {block, rest};
  MPI_Datatype out = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, counts, places, types, &out);
  MPI_Type_free(&block);
  MPI_Type_free(&rest);
  return out;
}

MPI_Datatype make_type(const Runs& runs) {
  MPI_Datatype out = type_of_run(runs.bytes);
  for (std::size_t i = 0; i < static_cast<std::size_t>(runs.depth); ++i) {
    MPI_Datatype inner = out;
    MPI_Type_create_hvector(static_cast<int>(runs.repeats[i].count), 1, runs.repeats[i].step, inner,
                            &out);
    MPI_Type_free(&inner);
  }
  MPI_Type_commit(&out);
  return out;
}

}  // namespace

PutCarrier::~PutCarrier() {
  for (auto& [layout, type] : types_) MPI_Type_free(&type);
}

PutCarrier::Elements PutCarrier::elements_of(const Layout& layout) {
  const Runs runs = runs_of(layout);
  if (runs.is_one() && runs.bytes <= kBlock) return {static_cast<int>(runs.bytes), MPI_BYTE};
  const auto known = std::ranges::find(types_, layout, &decltype(types_)::value_type::first);
  if (known != types_.end()) return {1, known->second};
  return {1, types_.emplace_back(layout, make_type(runs)).second};
}

Result<Done> PutCarrier::put(std::int32_t rank, const std::byte* from, const Layout& origin,
                             std::int64_t offset, const Layout& target) {
  const Elements here = elements_of(origin);
  const Elements there = elements_of(target);
  return checked(
      MPI_Put(from, here.count, here.type, rank, offset, there.count, there.type, window_),
      "MPI_Put");
}

Result<Done> PutCarrier::drain(std::int32_t rank) {
  return checked(MPI_Win_flush_local(rank, window_), "MPI_Win_flush_local");
}

Result<Done> PutCarrier::finish() {
  return checked(MPI_Win_flush_all(window_), "MPI_Win_flush_all");
}

}  // namespace pto::jit::mpi
