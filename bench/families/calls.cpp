#include "bench/families/calls.h"

#include <memory>
#include <random>
#include <thread>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "jit/compile.h"
#include "runtime/cache/kernel_cache.h"

namespace pto::jit::bench {
namespace {

constexpr std::uint64_t kMaker = 1;

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

KernelSpec tile_spec() {
  return *parse("a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
}

// Operands of tile_spec().
struct TileMemory {
  alignas(64) float tile[8 * 32] = {};
  alignas(64) float table[64 * 32] = {};
  alignas(64) std::int32_t index[8] = {5, 1, 60, 7, 9, 33, 2, 18};

  Frame frame() {
    Frame out;
    out.tile = tile;
    out.index = index;
    out.table = table;
    return out;
  }
};

template <class Body>
Contestant calling(std::string name, Body body) {
  return {.name = std::move(name), .run = [body](std::int64_t calls) {
            for (std::int64_t i = 0; i < calls; ++i) body(i);
          }};
}

// Reading the clock of a thread takes a while itself.
double clock_time() {
  std::vector<double> out;
  const Contestant nothing = calling("nothing", [](std::int64_t) {});
  for (int i = 0; i < 1000; ++i) out.push_back(time_of(nothing, 1));
  return quantile(out, 0.5);
}

// Each compile of a spec that was never seen, by itself.
std::vector<double> compile_times(KernelSpec spec, int count) {
  static std::int32_t rows = 1 << 20;
  const bool is_static = spec.table.shape[3] != kRuntime;
  const double clock = clock_time();
  std::vector<double> out;
  const Contestant one =
      calling("compile", [&](std::int64_t) { static_cast<void>(compile(spec)); });
  for (int i = 0; i < count; ++i) {
    (is_static ? spec.table.shape[3] : spec.data.rows) = ++rows;
    out.push_back(time_of(one, 1) - clock);
  }
  return out;
}

void add_compiles(std::vector<CallFigure>& out, const Effort& effort) {
  const int count = effort.repetitions * 100;
  const KernelSpec runtime =
      *parse("a2a3:mgather.row.clamp dst=f32[8x32|?x?] idx=i32[1x8|1x?] table=f32[?x?]");
  static_cast<void>(compile_times(tile_spec(), 200));
  const std::vector<double> fixed = compile_times(tile_spec(), count);
  const std::vector<double> open = compile_times(runtime, count);
  out.push_back({"compile, static shape, p50", quantile(fixed, 0.5), 13, 6000});
  out.push_back({"compile, static shape, p99", quantile(fixed, 0.99), 13, 12000});
  out.push_back({"compile, runtime shape, p50", quantile(open, 0.5), 13, 15000});
}

void add_hits(std::vector<CallFigure>& out, const Effort& effort) {
  TileMemory memory;
  const Frame frame = memory.frame();
  const KernelSpec spec = tile_spec();
  const Kernel kernel = *compile(spec);
  const Kernel nothing = empty_kernel();
  const std::vector<Series> times =
      take_turns({calling("empty", [&](std::int64_t) { nothing(frame); }),
                  calling("call", [&](std::int64_t) { kernel(frame); }),
                  calling("invoke", [&](std::int64_t) { static_cast<void>(invoke(spec, frame)); }),
                  calling("compile", [&](std::int64_t) { static_cast<void>(compile(spec)); })},
                 effort);
  const double call = median_of(times[1]);
  const double invoked = median_of(times[2]);
  out.push_back({"call of an empty kernel", median_of(times[0]), 15, 2.5});
  out.push_back({"hit and call of an 8x32 tile", invoked, 15, 25});
  out.push_back({"invoke over the call", invoked - call, 14, 4});
  out.push_back({"compile that hits", median_of(times[3]), 14, 25});
}

// A cache of so many kernels that do nothing.
struct FilledCache {
  explicit FilledCache(std::int32_t count) {
    KernelSpec spec = canonical(tile_spec());
    for (std::int32_t i = 0; i < count; ++i) {
      spec.table.shape[3] = 64 + i;
      specs.push_back(spec);
      static_cast<void>(
          cache.get_or_make({spec, kMaker}, [] { return Result<Kernel>(empty_kernel()); }));
    }
  }

  KernelCache cache;
  std::vector<KernelSpec> specs;
};

// Looks up and calls the kernels at these places again and again; nanoseconds over the call.
double time_lookups(FilledCache& filled, const std::vector<std::size_t>& places,
                    const Effort& effort) {
  const Frame frame;
  const Kernel nothing = empty_kernel();
  std::size_t step = 0;
  const auto look_up = [&](std::int64_t) {
    (*filled.cache.borrow(filled.specs[places[step]], kMaker))(frame);
    step = step + 1 == places.size() ? 0 : step + 1;
  };
  const std::vector<Series> times = take_turns(
      {calling("call", [&](std::int64_t) { nothing(frame); }), calling("look up", look_up)},
      effort);
  return median_of(times[1]) - median_of(times[0]);
}

std::vector<std::size_t> random_places(std::size_t count) {
  std::vector<std::size_t> out(std::size_t{1} << 16);
  std::mt19937_64 random(1);
  for (std::size_t& place : out) place = random() % count;
  return out;
}

// A thread that has looked up something, but none of these.
double time_first(FilledCache& filled, const Effort& effort) {
  const Frame frame;
  const auto count = static_cast<std::int64_t>(filled.specs.size()) - 1;
  const Contestant once = calling("first", [&](std::int64_t at) {
    (*filled.cache.borrow(filled.specs[static_cast<std::size_t>(at) + 1], kMaker))(frame);
  });
  std::vector<double> times;
  for (int i = 0; i < effort.repetitions; ++i) {
    std::thread([&] {
      (*filled.cache.borrow(filled.specs[0], kMaker))(frame);
      times.push_back(time_of(once, count) / static_cast<double>(count));
    }).join();
  }
  return quantile(times, 0.5);
}

void add_lookups(std::vector<CallFigure>& out, std::int32_t entries, const Effort& effort) {
  FilledCache filled(entries);
  const std::string of = " of " + std::to_string(entries);
  const double again = time_lookups(filled, {0, 1, 2, 3, 4, 5, 6, 7}, effort);
  out.push_back({"lookup over the call" + of, again, 14, 4});
  if (entries < 1000) return;
  const double any = time_lookups(filled, random_places(filled.specs.size()), effort);
  out.push_back({"lookup over the call, random order" + of, any, 14, entries < 10000 ? 25. : 50.});
  out.push_back({"a thread's first lookup and call" + of, time_first(filled, effort), 14, 9});
}

}  // namespace

std::vector<CallFigure> time_calls(const Effort& effort) {
  std::vector<CallFigure> out;
  add_compiles(out, effort);
  add_hits(out, effort);
  for (const std::int32_t entries : {10, 1000, 10000}) add_lookups(out, entries, effort);
  return out;
}

}  // namespace pto::jit::bench
