// From a spec to a kernel: what each part of compiling costs.
#include <benchmark/benchmark.h>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "jit/compile.h"
#include "jit/xbyak/assemble.h"
#include "jit/xbyak/strategy.h"
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
BENCHMARK_CAPTURE(verify_plan_strategy, static_shape, static_spec());
BENCHMARK_CAPTURE(verify_plan_strategy, runtime_shape, runtime_spec());

void assemble(benchmark::State& state, const KernelSpec& spec) {
  const KernelPlan plan = make_plan(*verify(spec));
  const Strategy strategy = choose_strategy(plan, host_features());
  for (auto _ : state) benchmark::DoNotOptimize(xbyak::assemble(plan, strategy));
}
BENCHMARK_CAPTURE(assemble, static_shape, static_spec());
BENCHMARK_CAPTURE(assemble, runtime_shape, runtime_spec());

// A new spec each time: everything from text to callable but the text.
void compile_new(benchmark::State& state, KernelSpec spec) {
  std::int32_t rows = 1 << 20;
  for (auto _ : state) {
    (spec.table.shape[2] == kRuntime ? spec.data.rows : spec.table.shape[3]) = ++rows;
    benchmark::DoNotOptimize(compile(spec));
  }
}
BENCHMARK_CAPTURE(compile_new, static_shape, static_spec());

}  // namespace
}  // namespace pto::jit
