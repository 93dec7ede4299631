// What single puts and messages take: the figures that estimates for more ranks rest on.
#include "bench/ranks/contest.h"

namespace pto::jit::bench {
namespace {

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

// Between the first two ranks, of 1 KB.
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
