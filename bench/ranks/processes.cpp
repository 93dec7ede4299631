// Ranks of one process: the kernel, and the call that checks first, beside memcpy. Ranks of
// several: shared windows and puts beside the root's memcpy and MPI's own.
#include <cstring>
#include <span>

#include "bench/ranks/contest.h"
#include "jit/calls/mpi/mpi.h"
#include "jit/calls/ranks/scatter.h"

namespace pto::jit::bench {
namespace {

constexpr int kRanks = 4;

void measure_in_process(const Shape& shape) {
  const std::int64_t part = shape.part();
  const auto all = static_cast<std::size_t>(part * kRanks);
  const Memory source = source_memory(shape, kRanks);
  const Memory target(part * kRanks);
  std::vector<std::span<std::byte>> destinations;
  std::vector<void*> pointers;
  for (int rank = 0; rank < kRanks; ++rank) {
    destinations.emplace_back(target.data() + rank * part, static_cast<std::size_t>(part));
    pointers.push_back(destinations.back().data());
  }
  const KernelSpec spec = spec_of(shape, kRanks);
  const ParallelGroup group = must(ParallelGroup::make(spec.peer, destinations, 0));
  const Kernel kernel = must(compile(spec));
  Frame frame = frame_of(spec);
  frame.tile = source.data();
  frame.ranks = pointers.data();
  const auto copy_rows = [&] {
    for (std::int64_t i = 0; i < shape.rows * kRanks; ++i)
      std::memcpy(target.data() + i * shape.width * 4, source.data() + i * shape.pitch * 4,
                  static_cast<std::size_t>(shape.width * 4));
  };
  print_speeds(
      shape.name + ", 4 ranks of one process",
      {{"memcpy of the same bytes, at once",
        [&] { std::memcpy(target.data(), source.data(), all); }},
       {"memcpy row by row", copy_rows},
       {"its kernel", [&] { kernel(frame); }},
       {"scatter, checks included", [&] { must(scatter(group, spec, view_of_source(source))); }}},
      part * kRanks);
}

void scatter_and_wait(mpi::Group& group, const KernelSpec& spec, const Memory& source,
                      Sending sending = Sending::Measured) {
  if (is_root()) must(scatter(group, spec, view_of_source(source), {.sending = sending}));
  must(group.wait());
}

// What MPI has for it: the rows as a datatype, or packed by the root.
class Rivals {
 public:
  Rivals(const Shape& shape, const Memory& source)
      : shape_(shape),
        source_(source),
        own_(shape.part()),
        packed_(shape.part() * ranks()),
        counts_(static_cast<std::size_t>(ranks()), 1) {
    MPI_Datatype whole = MPI_DATATYPE_NULL;
    MPI_Type_vector(static_cast<int>(shape.rows), static_cast<int>(shape.width * 4),
                    static_cast<int>(shape.pitch * 4), MPI_BYTE, &whole);
    MPI_Type_create_resized(whole, 0, shape.rows * shape.pitch * 4, &rows_);
    MPI_Type_free(&whole);
    MPI_Type_commit(&rows_);
    for (int rank = 0; rank < ranks(); ++rank) starts_.push_back(rank);
  }
  ~Rivals() { MPI_Type_free(&rows_); }
  Rivals(const Rivals&) = delete;
  Rivals& operator=(const Rivals&) = delete;

  void scatter_typed() {
    MPI_Scatter(source_.data(), 1, rows_, own_.data(), bytes(), MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void scatterv_typed() {
    MPI_Scatterv(source_.data(), counts_.data(), starts_.data(), rows_, own_.data(), bytes(),
                 MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void scatter_packed() {
    if (is_root() && !shape_.is_flat()) pack();
    MPI_Scatter(shape_.is_flat() ? source_.data() : packed_.data(), bytes(), MPI_BYTE, own_.data(),
                bytes(), MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  int bytes() const { return static_cast<int>(shape_.part()); }
  void pack() {
    for (std::int64_t i = 0; i < shape_.rows * ranks(); ++i)
      std::memcpy(packed_.data() + i * shape_.width * 4, source_.data() + i * shape_.pitch * 4,
                  static_cast<std::size_t>(shape_.width * 4));
  }

  const Shape& shape_;
  const Memory& source_;
  Memory own_;
  Memory packed_;
  std::vector<int> counts_;
  std::vector<int> starts_;
  MPI_Datatype rows_ = MPI_DATATYPE_NULL;
};

// Memory of a shared window, as destinations are.
class WindowMemory {
 public:
  explicit WindowMemory(std::int64_t bytes) {
    MPI_Win_allocate_shared(is_root() ? bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &data_,
                            &window_);
    if (is_root()) std::memset(data_, 1, static_cast<std::size_t>(bytes));
  }
  ~WindowMemory() { MPI_Win_free(&window_); }
  WindowMemory(const WindowMemory&) = delete;
  WindowMemory& operator=(const WindowMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

void measure(const Shape& shape) {
  const Memory source = source_memory(shape, ranks());
  const std::int64_t total = shape.part() * ranks();
  const Memory large(total);
  const WindowMemory window(total);
  const KernelSpec spec = spec_of(shape, ranks());
  mpi::Group shared = must(mpi::Group::allocate(MPI_COMM_WORLD, spec.peer, 0));
  mpi::Group remote = must(mpi::Group::allocate(MPI_COMM_WORLD, spec.peer, 0, {1}));
  Rivals rivals(shape, source);
  const auto copy_to = [&](std::byte* to) {
    if (is_root()) std::memcpy(to, source.data(), static_cast<std::size_t>(total));
  };
  const char* packed = shape.is_flat() ? "MPI_Scatter, barrier" : "pack, MPI_Scatter, barrier";
  print_speeds(
      shape.name + ", " + std::to_string(ranks()) + " processes",
      {{"memcpy to large pages, root alone", [&] { copy_to(large.data()); }},
       {"memcpy to pages of a window, root alone", [&] { copy_to(window.data()); }},
       {"scatter, shared windows, root alone",
        [&] {
          if (is_root()) must(scatter(shared, spec, view_of_source(source)));
        }},
       {"scatter and wait, shared windows", [&] { scatter_and_wait(shared, spec, source); }},
       {"scatter and wait, by put", [&] { scatter_and_wait(remote, spec, source); }},
       {packed, [&] { rivals.scatter_packed(); }},
       {"MPI_Scatter of a derived datatype, barrier", [&] { rivals.scatter_typed(); }},
       {"MPI_Scatterv of a derived datatype, barrier", [&] { rivals.scatterv_typed(); }}},
      total);
}

constexpr int kMessages = 200;
constexpr int kBytes = 1024;

void swap_message(std::byte* bytes) {
  const int other = is_root() ? 1 : 0;
  for (int turn = 0; turn < 2; ++turn) {
    const bool sends = is_root() == (turn == 0);
    sends ? MPI_Send(bytes, kBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD)
          : MPI_Recv(bytes, kBytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace

void measure_process() {
  for (const Shape& shape : shapes()) measure_in_process(shape);
}

void measure_processes() {
  for (const Shape& shape : shapes()) measure(shape);
}

// Four megabytes a rank in rows of every length, a quarter as much between them.
void measure_sending() {
  for (const std::int64_t width : {16, 64, 256, 1024, 4096, 16384}) {
    const Shape shape = {"rows of " + std::to_string(width * 4) + " B, 4 MB a rank, by put",
                         (1 << 20) / width, width, width + width / 4};
    const Memory source = source_memory(shape, ranks());
    const KernelSpec spec = spec_of(shape, ranks());
    mpi::Group group = must(mpi::Group::allocate(MPI_COMM_WORLD, spec.peer, 0, {1}));
    const auto by = [&](Sending sending) {
      return [&, sending] { scatter_and_wait(group, spec, source, sending); };
    };
    print_speeds(shape.name,
                 {{"packed", by(Sending::Packed)},
                  {"in place", by(Sending::InPlace)},
                  {"as measured", by(Sending::Measured)}},
                 shape.part() * ranks());
  }
}

// Single puts and messages of 1 KB, on which estimates for more ranks rest, between the first two.
void measure_messages() {
  const Memory target(kBytes);
  const Memory source(kBytes);
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(target.data(), kBytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  const auto put = [&] {
    for (int i = 0; i < kMessages && is_root(); ++i)
      MPI_Put(source.data(), kBytes, MPI_BYTE, 1, 0, kBytes, MPI_BYTE, window);
    if (is_root()) MPI_Win_flush_all(window);
  };
  const auto swap = [&] {
    for (int i = 0; i < kMessages; ++i) swap_message(source.data());
  };
  const std::vector<double> times = medians({{"put", put}, {"swap", swap}});
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  if (!is_root()) return;
  std::printf("of 1 KB: a put, of 200 with one flush, takes %.2f us; a message there %.2f us\n",
              times[0] / kMessages * 1e6, times[1] / kMessages / 2 * 1e6);
}

}  // namespace pto::jit::bench
