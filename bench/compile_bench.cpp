// From a spec to a kernel: what each part of compiling costs.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "bench/ratio.h"
#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "jit/backends/xbyak/assemble.h"
#include "jit/backends/xbyak/strategy.h"
#include "jit/compile/compile.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

const KernelSpec& static_spec() {
  static const KernelSpec spec =
      *parse("a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  return spec;
}
const KernelSpec& runtime_spec() {
  static const KernelSpec spec =
      *parse("a2a3:mgather.row.clamp dst=f32[8x32|?x?] idx=i32[1x8|1x?] table=f32[?x?]");
  return spec;
}

void verify_plan_strategy(benchmark::State& state, const KernelSpec& spec) {
  for (auto _ : state) {
    const Result<LegalSpec> legal = verify(spec);
    const KernelPlan plan = make_plan(*legal);
    benchmark::DoNotOptimize(choose_strategy(plan, host_features()));
  }
}
BENCHMARK_CAPTURE(verify_plan_strategy, static_shape, static_spec())
    ->Name("compiles/verify_plan_strategy/static_shape");
BENCHMARK_CAPTURE(verify_plan_strategy, runtime_shape, runtime_spec())
    ->Name("compiles/verify_plan_strategy/runtime_shape");

void assemble(benchmark::State& state, const KernelSpec& spec) {
  const KernelPlan plan = make_plan(*verify(spec));
  const Strategy strategy = choose_strategy(plan, host_features());
  for (auto _ : state) benchmark::DoNotOptimize(xbyak::assemble(plan, strategy));
}
BENCHMARK_CAPTURE(assemble, static_shape, static_spec())->Name("compiles/assemble/static_shape");
BENCHMARK_CAPTURE(assemble, runtime_shape, runtime_spec())->Name("compiles/assemble/runtime_shape");

// A new spec each time: everything from text to callable but the text. Each compile is timed by
// itself, less what reading the clock takes.
void compile_new(benchmark::State& state, KernelSpec spec, double at) {
  static std::int32_t rows = 1 << 20;
  const bench::Contestant nothing = {"nothing", [](std::int64_t) {}};
  const bench::Contestant one = {"compile",
                                 [&](std::int64_t) { benchmark::DoNotOptimize(compile(spec)); }};
  std::vector<double> clock;
  std::vector<double> times;
  for (auto _ : state) {
    (spec.table.shape[3] == kRuntime ? spec.data.rows : spec.table.shape[3]) = ++rows;
    clock.push_back(bench::time_of(nothing, 1));
    times.push_back(bench::time_of(one, 1));
  }
  state.counters["ns"] = bench::quantile(times, at) - bench::quantile(clock, 0.5);
}

[[maybe_unused]] const bool kRegistered = [] {
  struct Case {
    const char* name;
    const KernelSpec& spec;
    double quantile;
  };
  const std::array cases = {Case{"compiles/new/static_shape/p50", static_spec(), 0.5},
                            Case{"compiles/new/static_shape/p99", static_spec(), 0.99},
                            Case{"compiles/new/runtime_shape/p50", runtime_spec(), 0.5},
                            Case{"compiles/new/runtime_shape/p99", runtime_spec(), 0.99}};
  for (const Case& one : cases) {
    benchmark::RegisterBenchmark(one.name, &compile_new, one.spec, one.quantile)->Iterations(1000);
  }
  return true;
}();

}  // namespace
}  // namespace pto::jit
