// A table whose rows are spread over ranks, beside MPI's exchange of as many bytes.
#include <random>

#include "bench/ranks/contest.h"
#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"

namespace pto::jit::bench {

void measure_spread() {
  constexpr std::int64_t kRows = 1 << 18;
  constexpr std::int32_t kIndices = 1 << 16;
  constexpr std::int32_t kWidth = 32;
  const Memory local(kRows * kWidth * 4);
  const Memory tile(std::int64_t{kIndices} * kWidth * 4);
  const Memory other(std::int64_t{kIndices} * kWidth * 4);
  const std::int64_t shape[] = {kRows, kWidth};
  mpi::SpreadTable table = must(mpi::SpreadTable::make(MPI_COMM_WORLD,
                                                       BufferView{.operand = "table",
                                                                  .data = local.data(),
                                                                  .bytes = kRows * kWidth * 4,
                                                                  .dtype = DType::F32,
                                                                  .shape = shape},
                                                       kRows));
  std::mt19937 random(7);
  std::vector<std::int32_t> indices(kIndices);
  for (std::int32_t& index : indices)
    index = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(table.rows()));
  const std::string rest = "=f32[65536x32] idx=i32[1x65536] table=f32[?x32]";
  const KernelSpec gather = must(parse("a5:mgather.row.zero dst" + rest));
  const KernelSpec scatter = must(parse("a5:mscatter.row.skip src" + rest));
  const auto views = [&](const char* name) {
    return std::vector<BufferView>{
        {.operand = name, .data = tile.data(), .bytes = kIndices * kWidth * 4, .dtype = DType::F32},
        view_of("idx", indices)};
  };
  const std::vector<BufferView> dst = views("dst");
  const std::vector<BufferView> src = views("src");
  const std::vector<int> counts(static_cast<std::size_t>(ranks()), kIndices / ranks());
  std::vector<int> starts;
  for (int rank = 0; rank < ranks(); ++rank) starts.push_back(rank * (kIndices / ranks()));
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(kWidth * 4, MPI_BYTE, &row);
  MPI_Type_commit(&row);
  const std::vector<Contestant> contestants = {
      {"MPI_Alltoallv of the same bytes",
       [&] {
         MPI_Alltoallv(tile.data(), counts.data(), starts.data(), row, other.data(), counts.data(),
                       starts.data(), row, MPI_COMM_WORLD);
         MPI_Barrier(MPI_COMM_WORLD);
       }},
      {"gather_rows",
       [&] {
         must(gather_rows(table, gather, {.buffers = dst}));
         MPI_Barrier(MPI_COMM_WORLD);
       }},
      {"scatter_rows", [&] {
         must(scatter_rows(table, scatter, {.buffers = src}));
         MPI_Barrier(MPI_COMM_WORLD);
       }}};
  const std::vector<double> times = medians(contestants);
  MPI_Type_free(&row);
  if (!is_root()) return;
  std::printf("spread table, %d processes, 65536 rows of 128 B each, of 2^18 rows each\n", ranks());
  for (std::size_t i = 0; i < times.size(); ++i)
    std::printf("  %-48s %8.2f million rows/s of a rank  %5.2f\n", contestants[i].name.c_str(),
                kIndices / times[i] / 1e6, times[0] / times[i]);
}

}  // namespace pto::jit::bench
