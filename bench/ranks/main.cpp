// Scatters to ranks beside memcpy and beside MPI's own: alone it measures the ranks of one process,
// under mpirun those of several, which should not be more than there are cores.
//
//   ptojit_ranks                                     in one process
//   mpirun -n 2 ptojit_ranks                         between processes
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/mpi/mpi.h"
#include "runtime/large_buffer.h"

namespace pto::jit::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kRounds = 25;

int ranks() {
  int out = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &out);
  return out;
}

bool is_root() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

double seconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best round of contestants that take turns, in another order each time, the same on every
// rank: what else the machine does meets all, and nobody always finds the cache as one other left
// it. Everybody begins together.
std::vector<double> best_of(const std::vector<std::function<void()>>& contestants) {
  std::vector<double> best(contestants.size(), std::numeric_limits<double>::max());
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (int round = 0; round < kRounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      MPI_Barrier(MPI_COMM_WORLD);
      best[i] = std::min(best[i], seconds(contestants[i]));
    }
  }
  return best;
}

void print(const std::string& what, double bytes, double time, double reference) {
  if (is_root())
    std::printf("  %-44s %8.2f GB/s  %5.2f\n", what.c_str(), bytes / time / 1e9, reference / time);
}

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fputs(render(result.error()).c_str(), stderr);
  std::abort();
}

// Rows of `width` floats, `pitch` apart in the source and side by side at their destinations.
struct Shape {
  const char* name;
  std::int64_t rows;  // of a rank
  std::int64_t width;
  std::int64_t pitch;
};

constexpr Shape kShapes[] = {
    {"contiguous, 64 KB a rank", 128, 128, 128},
    {"contiguous, 8 MB a rank", 16384, 128, 128},
    {"rows of 512 B, 64 KB a rank", 128, 128, 160},
    {"rows of 512 B, 8 MB a rank", 16384, 128, 160},
};

KernelSpec spec_of(const Shape& shape, int count) {
  return must(parse("a5:comm.tscatter.pingpong src=f32[" + std::to_string(shape.rows * count) +
                    "x" + std::to_string(shape.width) + "@" + std::to_string(shape.pitch) +
                    "x1] dst=f32[" + std::to_string(shape.rows) + "x" +
                    std::to_string(shape.width) +
                    "] stage=f32[128x128|?x?] ranks=" + std::to_string(count) + " root=0"));
}

struct Memory {
  explicit Memory(std::int64_t bytes)
      : buffer(must(LargeBuffer::make(static_cast<std::size_t>(bytes)))) {
    std::memset(buffer.bytes().data(), 1, buffer.bytes().size());
  }
  std::byte* data() const { return buffer.bytes().data(); }

  LargeBuffer buffer;
};

BufferView source_of(const Memory& memory) {
  return {.operand = "src",
          .data = memory.data(),
          .bytes = static_cast<std::int64_t>(memory.buffer.bytes().size()),
          .dtype = DType::F32};
}

// --- one process --------------------------------------------------------------------------------

void measure_process(const Shape& shape) {
  constexpr int kRanks = 4;
  const std::int64_t part = shape.rows * shape.width * 4;
  const Memory source(shape.rows * kRanks * shape.pitch * 4);
  const Memory target(part * kRanks);
  std::vector<std::span<std::byte>> destinations;
  for (int rank = 0; rank < kRanks; ++rank)
    destinations.emplace_back(target.data() + rank * part, static_cast<std::size_t>(part));
  const KernelSpec spec = spec_of(shape, kRanks);
  const ParallelGroup group = must(ParallelGroup::make(spec.peer, destinations, 0));
  const auto bytes = static_cast<std::size_t>(part * kRanks);
  const Kernel kernel = must(compile(spec));
  std::vector<void*> pointers;
  for (const std::span<std::byte> memory : destinations) pointers.push_back(memory.data());
  Frame frame = frame_of(spec);
  frame.tile = source.data();
  frame.ranks = pointers.data();
  const std::vector<double> best =
      best_of({[&] { std::memcpy(target.data(), source.data(), bytes); }, [&] { kernel(frame); },
               [&] { must(scatter(group, spec, source_of(source))); }});
  std::printf("%s, 4 ranks of one process\n", shape.name);
  print("memcpy of the same bytes", static_cast<double>(bytes), best[0], best[0]);
  print("its kernel", static_cast<double>(bytes), best[1], best[0]);
  print("scatter, checks included", static_cast<double>(bytes), best[2], best[0]);
}

// --- several ------------------------------------------------------------------------------------

class Processes {
 public:
  explicit Processes(const Shape& shape)
      : shape_(shape),
        part_(shape.rows * shape.width * 4),
        source_(shape.rows * ranks() * shape.pitch * 4),
        own_(part_),
        large_(part_ * ranks()),
        spec_(spec_of(shape, ranks())) {
    MPI_Win_allocate_shared(is_root() ? part_ * ranks() : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &target_, &window_);
    if (is_root()) std::memset(target_, 1, total());
    MPI_Type_vector(static_cast<int>(shape.rows), static_cast<int>(shape.width * 4),
                    static_cast<int>(shape.pitch * 4), MPI_BYTE, &rows_);
    MPI_Datatype whole = rows_;
    MPI_Type_create_resized(whole, 0, shape.rows * shape.pitch * 4, &rows_);
    MPI_Type_free(&whole);
    MPI_Type_commit(&rows_);
    counts_.assign(static_cast<std::size_t>(ranks()), 1);
    for (int rank = 0; rank < ranks(); ++rank) starts_.push_back(rank);
  }
  ~Processes() {
    MPI_Type_free(&rows_);
    MPI_Win_free(&window_);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  void run() {
    mpi::Group shared = must(mpi::Group::allocate(MPI_COMM_WORLD, spec_.peer, 0));
    mpi::Group remote = must(mpi::Group::allocate(MPI_COMM_WORLD, spec_.peer, 0, {1}));
    const auto scatter_by = [&](mpi::Group& group) {
      if (is_root()) must(scatter(group, spec_, source_of(source_)));
    };
    const auto finish = [&](mpi::Group& group) { must(group.wait()); };
    const bool is_flat = shape_.width == shape_.pitch;
    const std::vector<double> best =
        best_of({[&] {
                   if (is_root()) std::memcpy(large_.data(), source_.data(), total());
                 },
                 [&] {
                   if (is_root()) std::memcpy(target_, source_.data(), total());
                 },
                 [&] { scatter_by(shared); },
                 [&] {
                   scatter_by(shared);
                   finish(shared);
                 },
                 [&] {
                   scatter_by(remote);
                   finish(remote);
                 },
                 [&] {
                   MPI_Scatter(source_.data(), 1, rows_, own_.data(), bytes(), MPI_BYTE, 0, all());
                   meet();
                 },
                 [&] {
                   scatterv();
                   meet();
                 },
                 [&] {
                   if (is_root() && !is_flat) pack();
                   MPI_Scatter(is_flat ? source_.data() : target_, bytes(), MPI_BYTE, own_.data(),
                               bytes(), MPI_BYTE, 0, all());
                   meet();
                 }});
    if (is_root()) std::printf("%s, %d processes\n", shape_.name, ranks());
    const char* names[] = {"memcpy to large pages, root alone",
                           "memcpy to pages of a window, root alone",
                           "scatter, shared windows, root alone",
                           "scatter and wait, shared windows",
                           "scatter and wait, by put",
                           "MPI_Scatter of a derived datatype, barrier",
                           "MPI_Scatterv of a derived datatype, barrier",
                           is_flat ? "MPI_Scatter, barrier" : "pack, MPI_Scatter, barrier"};
    for (std::size_t i = 0; i < best.size(); ++i)
      print(names[i], static_cast<double>(total()), best[i], best[0]);
  }

 private:
  static MPI_Comm all() { return MPI_COMM_WORLD; }
  static void meet() { MPI_Barrier(MPI_COMM_WORLD); }
  int bytes() const { return static_cast<int>(part_); }
  std::size_t total() const { return static_cast<std::size_t>(part_ * ranks()); }

  void scatterv() {
    MPI_Scatterv(source_.data(), counts_.data(), starts_.data(), rows_, own_.data(), bytes(),
                 MPI_BYTE, 0, all());
  }

  void pack() {
    const auto row = static_cast<std::size_t>(shape_.width * 4);
    for (std::int64_t i = 0; i < shape_.rows * ranks(); ++i) {
      std::memcpy(target_ + i * shape_.width * 4, source_.data() + i * shape_.pitch * 4, row);
    }
  }

  Shape shape_;
  std::int64_t part_;
  Memory source_;
  std::byte* target_ = nullptr;  // in a window, as the destinations are
  MPI_Win window_ = MPI_WIN_NULL;
  Memory own_;
  Memory large_;
  KernelSpec spec_;
  MPI_Datatype rows_ = MPI_DATATYPE_NULL;
  std::vector<int> counts_;
  std::vector<int> starts_;
};

// --- spread tables ------------------------------------------------------------------------------

void measure_spread() {
  constexpr std::int64_t kRows = 1 << 18;
  constexpr std::int32_t kIndices = 1 << 16;
  constexpr std::int32_t kWidth = 32;
  const Memory local(kRows * kWidth * 4);
  const Memory tile(std::int64_t{kIndices} * kWidth * 4);
  const Memory other(std::int64_t{kIndices} * kWidth * 4);
  const std::int64_t shape[] = {kRows, kWidth};
  mpi::SpreadTable table = must(mpi::SpreadTable::make(MPI_COMM_WORLD,
                                                       {.operand = "table",
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
  const std::vector<double> best =
      best_of({[&] {
                 MPI_Alltoallv(tile.data(), counts.data(), starts.data(), row, other.data(),
                               counts.data(), starts.data(), row, MPI_COMM_WORLD);
                 MPI_Barrier(MPI_COMM_WORLD);
               },
               [&] {
                 must(gather_rows(table, gather, {.buffers = dst}));
                 MPI_Barrier(MPI_COMM_WORLD);
               },
               [&] {
                 must(scatter_rows(table, scatter, {.buffers = src}));
                 MPI_Barrier(MPI_COMM_WORLD);
               }});
  MPI_Type_free(&row);
  if (!is_root()) return;
  std::printf("spread table, %d processes, 65536 rows of 128 B each, of 2^18 rows each\n", ranks());
  const char* names[] = {"MPI_Alltoallv of the same bytes", "gather_rows", "scatter_rows"};
  for (std::size_t i = 0; i < best.size(); ++i)
    std::printf("  %-44s %8.2f million rows/s of a rank  %5.2f\n", names[i],
                kIndices / best[i] / 1e6, best[0] / best[i]);
}

}  // namespace

void run() {
  for (const Shape& shape : kShapes) {
    if (ranks() == 1) measure_process(shape);
    if (ranks() > 1) Processes(shape).run();
  }
  measure_spread();
}

}  // namespace pto::jit::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  pto::jit::bench::run();
  MPI_Finalize();
  return 0;
}
