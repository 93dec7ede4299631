// What a verdict and a plan cost: the legal path of verify is meant to stay below half a
// microsecond, with make_plan below 0.8.
#include <benchmark/benchmark.h>

#include <array>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "runtime/cache/cache_entry.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

constexpr std::array kSpecs = {
    "cpu:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[256]",
    "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] table=bf16[?x?]",
    "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] "
    "table=f32[2x3x4x8x32@3840x1280x320x40x1]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
    "a5:mgather.elem dst=f32[8x32|?x?]:cm idx=u32[8x32|?x?]:cm table=f32[?x?@?x?]",
    "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    "a5:tgatherb.block src=f32[8x64] offset=u32[8x8] dst=f32[8x64]",
    "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
};

void verify_legal(benchmark::State& state) {
  const char* text = kSpecs[static_cast<std::size_t>(state.range(0))];
  const Result<KernelSpec> spec = parse(text);
  if (!spec || !is_legal(*spec)) return state.SkipWithError("not a legal spec");
  for (auto _ : state) benchmark::DoNotOptimize(verify(*spec));
  state.SetLabel(text);
}
BENCHMARK(verify_legal)->Name("compiles/verify_legal")->DenseRange(0, kSpecs.size() - 1);

constexpr auto kPlanned = [] {
  auto out = kSpecs;
  out[4] =
      "a2a3:mgather.elem.wrap dst=f16[32x64|20x?]:nz idx=i32[32x64|20x?] table=f16[?x?x?x16x16]:nz";
  out[5] = kSpecs[4];
  out[10] =
      "a5:comm.tscatter.pingpong src=f32[2x64x32] dst=f32[2x16x32@800x40x1] stage=f32[8x32|?x?] "
      "ranks=4 root=0";
  return out;
}();

void verify_and_plan(benchmark::State& state) {
  const char* text = kPlanned[static_cast<std::size_t>(state.range(0))];
  const Result<KernelSpec> spec = parse(text);
  if (!spec || !is_legal(*spec)) return state.SkipWithError("not a legal spec");
  for (auto _ : state) {
    const Result<LegalSpec> legal = verify(*spec);
    benchmark::DoNotOptimize(make_plan(*legal));
  }
  state.SetLabel(text);
}
BENCHMARK(verify_and_plan)->Name("compiles/verify_and_plan")->DenseRange(0, kPlanned.size() - 1);

void plan_alone(benchmark::State& state) {
  const Result<LegalSpec> legal = verify(*parse(kSpecs[4]));
  for (auto _ : state) benchmark::DoNotOptimize(make_plan(*legal));
}
BENCHMARK(plan_alone)->Name("compiles/plan_alone");

void verify_illegal(benchmark::State& state) {
  const KernelSpec spec =
      *parse("a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  for (auto _ : state) benchmark::DoNotOptimize(verify(spec));
}
BENCHMARK(verify_illegal)->Name("compiles/verify_illegal");

void make_canonical(benchmark::State& state) {
  const KernelSpec spec = *parse(kSpecs[4]);
  for (auto _ : state) benchmark::DoNotOptimize(canonical(spec));
}
BENCHMARK(make_canonical)->Name("compiles/make_canonical");

void hash_key(benchmark::State& state) {
  const KernelSpec spec = *parse(kSpecs[4]);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&spec);
    benchmark::DoNotOptimize(hash_of(spec, 0));
  }
}
BENCHMARK(hash_key)->Name("compiles/hash_key");

void parse_text(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse(kSpecs[4]));
}
BENCHMARK(parse_text)->Name("compiles/parse_text");

void print_text(benchmark::State& state) {
  const KernelSpec spec = *parse(kSpecs[4]);
  for (auto _ : state) benchmark::DoNotOptimize(print(spec));
}
BENCHMARK(print_text)->Name("compiles/print_text");

}  // namespace
}  // namespace pto::jit
