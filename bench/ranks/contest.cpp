#include "bench/ranks/contest.h"

#include <algorithm>
#include <cstring>

#include "ir/spec_text.h"
#include "jit/tools/bench/turns.h"

namespace pto::jit::bench {
namespace {

constexpr int kRounds = 25;

}  // namespace

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

std::vector<double> medians(const std::vector<Contestant>& contestants) {
  const auto times =
      cli::take_turns(contestants.size(), kRounds, cli::Order::Shifting, [&](auto i) {
        contestants[i].work();
        MPI_Barrier(MPI_COMM_WORLD);
        return 1e-9 * cli::nanoseconds_of(contestants[i].work);
      });
  std::vector<double> out;
  for (const std::vector<double>& all : times) out.push_back(cli::quantile(all, 0.5));
  return out;
}

void print_speeds(const std::string& title, const std::vector<Contestant>& contestants,
                  std::int64_t bytes) {
  const std::vector<double> times = medians(contestants);
  if (!is_root()) return;
  std::printf("%s\n", title.c_str());
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::printf("  %-48s %8.2f GB/s  %5.2f\n", contestants[i].name.c_str(),
                static_cast<double>(bytes) / times[i] / 1e9, times[0] / times[i]);
  }
}

Memory::Memory(std::int64_t bytes)
    : buffer(must(LargeBuffer::make(static_cast<std::size_t>(bytes)))) {
  std::memset(buffer.data(), 1, buffer.size());
}

std::vector<Shape> shapes() {
  std::vector<Shape> out;
  for (const auto& [size, rows] : {std::pair{"64 KB", 128}, {"512 KB", 1024}, {"8 MB", 16384}}) {
    out.push_back({std::string("contiguous, ") + size + " a rank", rows, 128, 128});
    out.push_back({std::string("rows of 512 B, ") + size + " a rank", rows, 128, 160});
  }
  return out;
}

KernelSpec spec_of(const Shape& shape, int count) {
  const std::string width = std::to_string(shape.width);
  const std::int64_t staged = std::max<std::int64_t>(1, 16384 / shape.width);  // rows of 64 KB
  return must(parse("a5:comm.tscatter.pingpong src=f32[" + std::to_string(shape.rows * count) +
                    "x" + width + "@" + std::to_string(shape.pitch) + "x1] dst=f32[" +
                    std::to_string(shape.rows) + "x" + width + "] stage=f32[" +
                    std::to_string(staged) + "x" + width + "|?x?] ranks=" + std::to_string(count) +
                    " root=0"));
}

Memory source_memory(const Shape& shape, int count) {
  return Memory(shape.rows * count * shape.pitch * 4);
}

BufferView view_of_source(const Memory& memory) {
  return {.operand = "src",
          .data = memory.data(),
          .bytes = static_cast<std::int64_t>(memory.buffer.size()),
          .dtype = DType::F32};
}

}  // namespace pto::jit::bench
