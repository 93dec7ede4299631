// One large call by one thread and by several, beside as many threads that copy the same rows: the
// three take turns on one table of a gigabyte, uniform and skewed indices.
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "ir/spec_text.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/tools/bench/index_stream.h"
#include "jit/tools/bench/memory_level.h"
#include "jit/tools/bench/timed_memory.h"
#include "jit/tools/bench/turns.h"
#include "targets/binding.h"

namespace pto::jit::bench {
namespace {

constexpr int kRepetitions = 9;
constexpr std::int64_t kTableBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMovedBytes = std::int64_t{1} << 26;
constexpr std::int64_t kElements = std::int64_t{1} << 20;

struct Work {
  std::string name;
  std::string operation;
  std::int64_t row;  // bytes; of an element four
};

std::string spec_of(const Work& work) {
  const bool is_gather = work.operation.starts_with("mgather");
  const std::string tile = is_gather ? "dst" : "src";
  const auto str = [](std::int64_t number) { return std::to_string(number); };
  if (work.row == 4) {
    const std::string shape = "[" + str(kElements / 4096) + "x4096]";
    return "a5:" + work.operation + " " + tile + "=f32" + shape + " idx=i32" + shape +
           " table=f32[1x" + str(kTableBytes / 4) + "]";
  }
  const std::string rows = str(kMovedBytes / work.row);
  const std::string width = str(work.row / 4);
  return "a5:" + work.operation + " " + tile + "=f32[" + rows + "x" + width + "] idx=i32[1x" +
         rows + "] table=f32[" + str(kTableBytes / work.row) + "x" + width + "]";
}

// The rows of a call copied, each thread its share of the positions.
void copy_rows(const Work& work, const Frame& frame, int threads) {
  const std::int64_t count = work.row == 4 ? kElements : kMovedBytes / work.row;
  const bool is_gather = work.operation.starts_with("mgather");
  const auto row = static_cast<std::size_t>(work.row);
  std::vector<std::thread> hands;
  for (int hand = 0; hand < threads; ++hand) {
    hands.emplace_back([&, hand] {
      const auto* index = static_cast<const std::uint32_t*>(frame.index);
      auto* tile = static_cast<std::byte*>(frame.tile);
      auto* table = static_cast<std::byte*>(frame.table);
      for (std::int64_t i = count * hand / threads; i < count * (hand + 1) / threads; ++i) {
        std::byte* near = tile + i * work.row;
        std::byte* far = table + index[i] * row;
        std::memcpy(is_gather ? near : far, is_gather ? far : near, row);
      }
    });
  }
  for (std::thread& hand : hands) hand.join();
}

Result<Done> measure(const Work& work, const std::string& law, int threads) {
  const Result<BoundSpec> bound = bind(*verify(*parse(spec_of(work))), {});
  if (!bound) return bound.error();
  const cli::IndexStream indices(*cli::parse_indices(law),
                                 static_cast<std::uint64_t>(kTableBytes / work.row), 1);
  Result<cli::TimedMemory> memory = cli::TimedMemory::make(*bound, indices);
  if (!memory) return memory.error();
  const auto call = [&](int hands) {
    return run_parallel(bound->legal(), bound->plan(), memory->next_frame(),
                        {{.threads = hands}, {}});
  };
  if (const Result<Done> tried = call(threads); !tried) return tried.error();
  const auto times = cli::take_turns(3, kRepetitions, cli::Order::Same, [&](std::size_t turn) {
    return 1e-6 * cli::nanoseconds_of([&] {
             if (turn == 2) return copy_rows(work, memory->next_frame(), threads);
             static_cast<void>(call(turn == 0 ? 1 : threads));
           });
  });
  const double one = cli::quantile(times[0], 0.5);
  const double several = cli::quantile(times[1], 0.5);
  const double copy = cli::quantile(times[2], 0.5);
  std::printf("| %s, %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n", work.name.c_str(), law.c_str(),
              one, several, copy, one / several, copy / several);
  std::fflush(stdout);
  return Done{};
}

int run() {
  const int threads = usable_threads();
  std::printf("%s, %d threads; ms a call, medians of %d that take turns\n\n",
              cli::host_name().c_str(), threads, kRepetitions);
  std::printf("| case | one thread | all | copied by all | one / all | copied / all |\n");
  std::printf("|---|---:|---:|---:|---:|---:|\n");
  std::vector<Work> works;
  for (const char* operation : {"mgather.row", "mscatter.row", "mscatter.row.atomic_add"}) {
    for (const std::int64_t row : {64, 256, 2048})
      works.push_back({operation + (", " + std::to_string(row) + " B"), operation, row});
  }
  for (const char* operation : {"mgather.elem", "mscatter.elem", "mscatter.elem.atomic_add"})
    works.push_back({operation, operation, 4});
  for (const char* law : {"uniform", "zipf:1.1"}) {
    for (const Work& work : works) {
      if (const auto done = measure(work, law, threads); !done)
        return std::fprintf(stderr, "%s", render(done.error()).c_str()), 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace pto::jit::bench

int main() { return pto::jit::bench::run(); }
