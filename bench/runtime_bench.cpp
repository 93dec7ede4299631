// What the runtime adds to a kernel: publishing its code, finding it again, calling it.
//
// Lookups are timed over the call they lead to: compare borrow with call_empty_kernel.
#include <benchmark/benchmark.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "ir/canonical.h"
#include "runtime/bindings/bound_kernels.h"
#include "runtime/cache/kernel_cache.h"
#include "runtime/code/code_arena.h"
#include "runtime/kernel.h"

namespace pto::jit {
namespace {

constexpr std::uint64_t kMaker = 1;

KernelSpec spec_numbered(std::int32_t number) {
  KernelSpec spec;
  spec.op = Op::MGather;
  spec.data = {.rows = 8, .cols = 32, .vr = 8, .vc = 32, .dtype = DType::F32};
  spec.index = {.rows = 1, .cols = 8, .vr = 1, .vc = 8, .dtype = DType::I32};
  spec.table = {.shape = {1, 1, 1, 64 + number, 32}, .dtype = DType::F32};
  return canonical(spec);
}

class EmptyBody final : public KernelBody {
 public:
  EmptyBody()
      : KernelBody({.entry = [](const Frame*, const void*) {},
                    .context = nullptr,
                    .backend = Backend::Interpreter,
                    .code = {},
                    .footprint = 64,
                    .name = "empty"}) {}
};

Kernel empty_kernel() { return Kernel(std::make_unique<EmptyBody>()); }

// A cache with `count` kernels that do nothing, and their specs.
struct FilledCache {
  explicit FilledCache(std::int64_t count) {
    specs.reserve(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
      specs.push_back(spec_numbered(i));
      static_cast<void>(
          cache.get_or_make({specs.back(), kMaker}, [] { return Result<Kernel>(empty_kernel()); }));
    }
  }

  KernelCache cache;
  std::vector<KernelSpec> specs;
};

FilledCache& filled_cache(std::int64_t count) {
  static FilledCache ten(10);
  static FilledCache thousand(1000);
  static FilledCache ten_thousand(10000);
  return count == 10 ? ten : count == 1000 ? thousand : ten_thousand;
}

void call_empty_kernel(benchmark::State& state) {
  const Kernel kernel = empty_kernel();
  Frame frame;
  for (auto _ : state) {
    benchmark::DoNotOptimize(frame.extents[9] += 1);
    kernel(frame);
  }
}
BENCHMARK(call_empty_kernel)->Name("calls/call_empty_kernel");

// What a kernel with runtime dimensions adds to a call: behind it are as many kernels of bindings
// as the first number says; the second is whether the call's is one of them.
class EmptyMaker final : public BindingMaker {
 public:
  std::optional<Kernel> make(const Frame&) override { return empty_kernel(); }
};

void call_bound_kernel(benchmark::State& state) {
  constexpr std::array kDimsRead = {Dim::DataVr, Dim::DataVc, Dim::TableD3, Dim::TableD4};
  const Kernel kernel = with_bound_kernels(empty_kernel(), {"empty", kDimsRead, kBindAfter},
                                           std::make_unique<EmptyMaker>());
  Frame frame;
  frame.extents.fill(7);
  for (std::int64_t i = 0; i < 1000 * state.range(0); ++i) {
    frame.extents[0] = 1 + i / 1000;
    kernel(frame);
  }
  frame.extents[0] = state.range(1) == 0 ? 101 : 1;
  const std::int64_t step = state.range(1) == 0 ? 1 : 0;  // no binding comes twice
  for (auto _ : state) {
    benchmark::DoNotOptimize(frame.extents[9] += step);
    kernel(frame);
  }
}
BENCHMARK(call_bound_kernel)
    ->Name("calls/call_bound_kernel")
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Args({8, 0})
    ->Args({8, 1});

// A thread that uses a few of the cache's kernels, however many there are.
void borrow(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  const Frame frame;
  std::size_t at = 0;
  for (auto _ : state) {
    (*filled.cache.borrow(filled.specs[at], kMaker))(frame);
    at = (at + 1) % 8;
  }
}
BENCHMARK(borrow)
    ->Name("lookups/borrow")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(10000)
    ->Threads(1)
    ->Threads(2)
    ->Threads(8);

// The same with specs that the caller makes anew for each call.
void borrow_by_copy(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  const Frame frame;
  std::size_t at = 0;
  for (auto _ : state) {
    KernelSpec spec = filled.specs[at];
    benchmark::DoNotOptimize(spec);
    (*filled.cache.borrow(spec, kMaker))(frame);
    at = (at + 1) % 8;
  }
}
BENCHMARK(borrow_by_copy)->Name("lookups/borrow_by_copy")->Arg(10)->Arg(10000);

// A thread that uses all of them in turn: specs and kernels come from wherever memory they fit in.
void borrow_each_in_turn(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  const Frame frame;
  std::size_t at = 0;
  for (auto _ : state) {
    (*filled.cache.borrow(filled.specs[at], kMaker))(frame);
    at = at + 1 == filled.specs.size() ? 0 : at + 1;
  }
}
BENCHMARK(borrow_each_in_turn)
    ->Name("lookups/borrow_each_in_turn")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(10000)
    ->Threads(1)
    ->Threads(2)
    ->Threads(8);

// All of them with the limits a cache has by default, in an order that nothing can foresee.
void borrow_in_random_order(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  std::vector<std::size_t> order(std::size_t{1} << 16);
  std::uint64_t random = 1;
  for (std::size_t& at : order) {
    random = random * 6364136223846793005 + 1442695040888963407;
    at = (random >> 32) % filled.specs.size();
  }
  const Frame frame;
  std::size_t step = 0;
  for (auto _ : state) {
    (*filled.cache.borrow(filled.specs[order[step]], kMaker))(frame);
    step = (step + 1) % order.size();
  }
}
BENCHMARK(borrow_in_random_order)
    ->Name("lookups/borrow_in_random_order")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(10000);

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A thread that has used none of them: each is searched for.
void borrow_for_the_first_time(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  const Frame frame;
  while (state.KeepRunningBatch(state.range(0))) {
    std::thread([&] {
      const double before = thread_seconds();
      for (const KernelSpec& spec : filled.specs) (*filled.cache.borrow(spec, kMaker))(frame);
      state.SetIterationTime(thread_seconds() - before);
    }).join();
  }
}
BENCHMARK(borrow_for_the_first_time)
    ->Name("lookups/borrow_for_the_first_time")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(10000)
    ->UseManualTime();

// What a compile that hits does.
void find_owning_kernel(benchmark::State& state) {
  FilledCache& filled = filled_cache(state.range(0));
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(filled.cache.find(filled.specs[at], kMaker));
    at = (at + 1) % 8;
  }
}
BENCHMARK(find_owning_kernel)
    ->Name("lookups/find_owning_kernel")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(10000)
    ->Threads(1)
    ->Threads(2)
    ->Threads(8);

// A miss with a maker that costs nothing, into a cache that is full.
void miss_and_evict(benchmark::State& state) {
  KernelCache cache({.entries = static_cast<std::size_t>(state.range(0))});
  std::int32_t number = 0;
  CacheKey key = {spec_numbered(0), kMaker};
  for (auto _ : state) {
    key.spec.table.shape[3] = 64 + number++;
    benchmark::DoNotOptimize(cache.get_or_make(key, [] { return Result<Kernel>(empty_kernel()); }));
  }
}
BENCHMARK(miss_and_evict)->Name("compiles/miss_and_evict")->Arg(10)->Arg(4096);

// Bytes of a small and a large kernel, published among a thousand others and dropped again.
void publish(benchmark::State& state) {
  CodeArena arena;
  const std::vector<std::byte> code(static_cast<std::size_t>(state.range(0)), std::byte{0xc3});
  std::vector<std::optional<CodeBlock>> held(1000);
  for (auto& block : held) block = *arena.publish(code);
  std::size_t at = 0;
  for (auto _ : state) {
    held[at] = *arena.publish(code);
    at = at + 1 == held.size() ? 0 : at + 1;
  }
}
BENCHMARK(publish)->Name("compiles/publish")->Arg(400)->Arg(4000);

void reserve_and_commit(benchmark::State& state) {
  CodeArena arena;
  for (auto _ : state) {
    Result<WritableCode> memory = arena.reserve(16384);
    benchmark::DoNotOptimize(
        arena.commit(*std::move(memory), static_cast<std::size_t>(state.range(0))));
  }
}
BENCHMARK(reserve_and_commit)->Name("compiles/reserve_and_commit")->Arg(400);

void publish_without_arena(benchmark::State& state) {
  CodeArena arena({.mapping = Mapping::OncePerBlock});
  const std::vector<std::byte> code(static_cast<std::size_t>(state.range(0)), std::byte{0xc3});
  for (auto _ : state) benchmark::DoNotOptimize(arena.publish(code));
}
BENCHMARK(publish_without_arena)->Name("compiles/publish_without_arena")->Arg(400);

}  // namespace
}  // namespace pto::jit
