// Ranks of one process: the kernel, and the call that checks first, beside memcpy.
#include <cstring>
#include <span>

#include "bench/ranks/contest.h"
#include "jit/ranks/scatter.h"

namespace pto::jit::bench {
namespace {

constexpr int kRanks = 4;

void measure(const Shape& shape) {
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

}  // namespace

void measure_process() {
  for (const Shape& shape : shapes()) measure(shape);
}

}  // namespace pto::jit::bench
