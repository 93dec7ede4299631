#include "jit/tools/bench/kernel_timing.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "ir/interpreter.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/tools/bench/memory_level.h"
#include "jit/tools/bench/timed_memory.h"
#include "jit/tools/bench/turns.h"
#include "runtime/fillers.h"

namespace pto::jit::cli {
namespace {

// As many calls as the clock can tell apart.
template <class Body>
class Timed {
 public:
  explicit Timed(Body body, bool is_single = false) : body_(std::move(body)) {
    constexpr double kLeast = 500'000;  // nanoseconds
    while (!is_single && time() < kLeast && calls_ < (std::int64_t{1} << 24)) calls_ *= 2;
  }

  double per_call() { return time() / static_cast<double>(calls_); }

 private:
  double time() {
    return nanoseconds_of([&] {
      for (std::int64_t i = 0; i < calls_; ++i) body_();
    });
  }

  Body body_;
  std::int64_t calls_ = 1;
};

template <class Body>
double median_ns(Body&& body, std::uint32_t repetitions) {
  Timed timed(body);
  return quantile(
      take_turns(1, repetitions, Order::Same, [&](auto) { return timed.per_call(); })[0], 0.5);
}

Quartiles quartiles_of(const std::vector<double>& times) {
  return {quantile(times, 0.25), quantile(times, 0.5), quantile(times, 0.75)};
}

double elements_of(const KernelPlan& plan, const Frame& frame) {
  double elements = std::max(plan.ranks, 1);
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    const bool is_block = plan.block > 0 && i + 1 == plan.level_count;
    if (!is_block) elements *= static_cast<double>(value_in(frame, plan.levels[i].extent));
  }
  elements *= static_cast<double>(value_in(frame, plan.unit.inner.count) *
                                  value_in(frame, plan.unit.outer.count));
  return elements * static_cast<double>(value_in(frame, plan.unit.run)) / plan.element_size;
}

void describe_memory(const TimedMemory& memory, bool is_cold, KernelTiming& out) {
  out.index_sets = memory.index_sets().count;
  out.table_bytes = memory.table_bytes();
  out.table_met = memory.index_sets().met;
  const double bytes = is_cold ? std::numeric_limits<double>::infinity() : memory.bytes_touched();
  out.level = level_met(bytes, memory.page_size(), host_features());
}

// One call, by one thread or by several.
using CallKernel = std::function<void(const Frame&)>;

CallKernel caller_of(const BoundSpec& bound, const TimingWish& wish, const Kernel& kernel) {
  if (wish.parallel == Parallel{}) return kernel;
  return [&](const Frame& frame) {
    static_cast<void>(
        run_parallel(bound.legal(), bound.plan(), frame, {wish.parallel, wish.compile}));
  };
}

// The kernel and the copy take turns, so that both meet what else the machine does.
Result<Done> time_calls(const CallKernel& kernel, TimedMemory& memory, const TimingWish& wish,
                        KernelTiming& out) {
  const bool is_cold = wish.is_cold;
  Timed calls([&] { kernel(memory.next_frame()); }, is_cold);
  Timed copies([&] { memory.copy(static_cast<std::int64_t>(out.bytes)); }, is_cold);
  if (is_cold && !memory.flush())
    return error("bench.cold", "this processor cannot be told to drop lines from its caches");
  const auto times = take_turns(2, wish.repetitions, Order::Same, [&](std::size_t turn) {
    if (is_cold) memory.flush();
    return turn == 0 ? calls.per_call() : copies.per_call();
  });
  out.call = quartiles_of(times[0]);
  out.copy = quartiles_of(times[1]);
  return Done{};
}

}  // namespace

Result<KernelTiming> time_kernel(const BoundSpec& bound, const TimingWish& wish,
                                 const std::vector<std::uint32_t>& given) {
  const LegalSpec& legal = bound.legal();
  const KernelPlan& plan = bound.plan();
  const Frame extents = frame_of(bound.spec());
  Result<TimedMemory> memory = TimedMemory::make(
      bound, IndexStream(wish.indices, indexed_slots(plan, extents), wish.seed, given));
  if (!memory) return memory.error();
  const Result<Kernel> kernel = compile(legal, wish.compile);
  if (!kernel) return kernel.error();
  KernelTiming out{.backend = kernel->backend()};
  out.compile_us = median_ns(
                       [&] {
                         clear_cache();
                         static_cast<void>(compile(legal.spec(), wish.compile));
                       },
                       wish.repetitions) /
                   1000;
  out.lookup_ns =
      median_ns([&] { static_cast<void>(compile(legal.spec(), wish.compile)); }, wish.repetitions);
  out.indices = static_cast<double>(memory->index_sets().positions);
  out.elements = elements_of(plan, extents);
  out.bytes = out.elements * plan.element_size;
  const Result<int> parts = parts_of_call(plan, memory->next_frame(), wish.parallel);
  if (!parts) return parts.error();
  out.parts = *parts;
  const CallKernel call = caller_of(bound, wish, *kernel);
  if (Result<Done> timed = time_calls(call, *memory, wish, out); !timed) return timed.error();
  describe_memory(*memory, wish.is_cold, out);
  return out;
}

}  // namespace pto::jit::cli
