// What it costs to find a kernel again and to call it, by the public interface alone: compiled with
// the archive into the benchmarks, and once more with the shared library into a program of its own.
#include <benchmark/benchmark.h>
#include <ptojit/c.h>
#include <ptojit/ptojit.h>

namespace pto::jit {
namespace {

constexpr const char* kText = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

const KernelSpec& static_spec() {
  static const KernelSpec spec = *parse(kText);
  return spec;
}

void hit_owning(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compile(static_spec()));
}
BENCHMARK(hit_owning)->Name("calls/hit_owning");

Frame tile_frame() {
  alignas(64) static float tile[8 * 32];
  alignas(64) static float table[64 * 32];
  alignas(64) static std::int32_t index[8] = {5, 1, 60, 7, 9, 33, 2, 18};
  Frame frame;
  frame.tile = tile;
  frame.index = index;
  frame.table = table;
  return frame;
}

void call_only(benchmark::State& state) {
  const Kernel kernel = *compile(static_spec());
  const Frame frame = tile_frame();
  for (auto _ : state) kernel(frame);
}
BENCHMARK(call_only)->Name("calls/call_only");

void hit_and_call(benchmark::State& state) {
  const Frame frame = tile_frame();
  for (auto _ : state) benchmark::DoNotOptimize(invoke(static_spec(), frame));
}
BENCHMARK(hit_and_call)->Name("calls/hit_and_call");

void c_call_only(benchmark::State& state) {
  ptojit_spec* spec = nullptr;
  ptojit_kernel* kernel = nullptr;
  ptojit_parse(kText, &spec, nullptr);
  ptojit_compile(spec, nullptr, &kernel, nullptr);
  const Frame frame = tile_frame();
  for (auto _ : state) ptojit_run(kernel, reinterpret_cast<const ptojit_frame*>(&frame));
  ptojit_kernel_free(kernel);
  ptojit_spec_free(spec);
}
BENCHMARK(c_call_only)->Name("calls/c_call_only");

}  // namespace
}  // namespace pto::jit
