// Kernels of the LLVM backend: what making one takes, with and without its object on disk, and how
// fast each family runs against the x86-64 backend, the two taking turns.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "bench/families/indices.h"
#include "bench/ratio.h"
#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/backends/objects/object_cache.h"
#include "jit/checks/compare/memory.h"
#include "jit/checks/emulation/scratch.h"
#include "jit/compile/compile.h"
#include "runtime/fillers.h"

namespace pto::jit {
namespace {

struct Family {
  const char* name;
  const char* spec;
  bench::Indices indices = bench::Indices::Random;
};

constexpr std::array kFamilies = {
    Family{"row_gather_32B", "a5:mgather.row.clamp dst=f32[256x8] idx=i32[1x256] table=f32[512x8]"},
    Family{"row_gather_128B",
           "a5:mgather.row.clamp dst=f32[256x32] idx=i32[1x256] table=f32[256x32]"},
    Family{"row_gather_1KB", "a5:mgather.row dst=f32[64x256] idx=i32[1x64] table=f32[64x256]"},
    Family{"row_gather_zero", "a5:mgather.row.zero dst=f32[256x8] idx=i32[1x256] table=f32[512x8]"},
    Family{"row_scatter_32B",
           "a5:mscatter.row.clamp src=f32[256x8] idx=i32[1x256] table=f32[512x8]"},
    Family{"row_scatter_128B",
           "a5:mscatter.row.skip src=f32[256x32] idx=i32[1x256] table=f32[256x32]"},
    Family{"row_add_f32",
           "a5:mscatter.row.atomic_add src=f32[256x32] idx=i32[1x256] table=f32[256x32]"},
    Family{"row_add_f16",
           "a5:mscatter.row.atomic_add src=f16[256x32] idx=i32[1x256] table=f16[256x32]"},
    Family{"row_add_bf16",
           "a5:mscatter.row.atomic_add src=bf16[256x32] idx=i32[1x256] table=bf16[256x32]"},
    Family{"elem_gather_f32", "a5:mgather.elem dst=f32[32x64] idx=i32[32x64] table=f32[4096]"},
    Family{"elem_gather_clamp",
           "a5:mgather.elem.clamp dst=f32[32x64] idx=i32[32x64] table=f32[4096]"},
    Family{"elem_gather_wrap",
           "a5:mgather.elem.wrap dst=f32[32x64] idx=i32[32x64] table=f32[4095]"},
    Family{"elem_gather_zero",
           "a5:mgather.elem.zero dst=f32[32x64] idx=i32[32x64] table=f32[4096]"},
    Family{"elem_gather_i16", "a5:mgather.elem dst=i16[32x64] idx=i32[32x64] table=i16[8192]"},
    Family{"elem_gather_i8", "a5:mgather.elem dst=i8[32x64] idx=i32[32x64] table=i8[8192]"},
    Family{"elem_gather_runtime",
           "a2a3:mgather.elem.clamp dst=f32[32x64|?x?] idx=i32[32x64|?x?] table=f32[?]"},
    Family{"row_gather_runtime",
           "a2a3:mgather.row.clamp dst=f32[256x32|?x?] idx=i32[1x256|1x?] table=f32[?x?]"},
    Family{"elem_scatter_f32", "a5:mscatter.elem src=f32[32x64] idx=i32[32x64] table=f32[4096]"},
    Family{"elem_scatter_skip",
           "a5:mscatter.elem.skip src=f32[32x64] idx=i32[32x64] table=f32[4096]"},
    Family{"elem_scatter_skip_30",
           "a5:mscatter.elem.skip src=f32[32x64] idx=i32[32x64] table=f32[4096]",
           bench::Indices::Outside30},
    Family{"elem_scatter_nz",
           "a2a3:mscatter.elem.clamp src=f32[64x32]:nz idx=i32[64x32] table=f32[4x4x16x8]:nz"},
    Family{"elem_scatter_i8", "a5:mscatter.elem src=i8[32x64] idx=i32[32x64] table=i8[8192]"},
    Family{"elem_add_i32",
           "a5:mscatter.elem.atomic_add src=i32[32x64] idx=i32[32x64] table=i32[4096]"},
    Family{"elem_add_f16",
           "a5:mscatter.elem.atomic_add src=f16[32x64] idx=i32[32x64] table=f16[4096]"},
    Family{"elem_add_skip_30",
           "a5:mscatter.elem.skip.atomic_add src=f32[32x64] idx=i32[32x64] table=f32[4096]",
           bench::Indices::Outside30},
    Family{"elem_add_bf16",
           "a5:mscatter.elem.atomic_add src=bf16[32x64] idx=i32[32x64] table=bf16[4096]"},
    Family{"table_in_registers",
           "a5:mgather.elem.zero dst=f32[32x64] idx=i32[32x64] table=f32[32]"},
    Family{"row_gather_zero_30",
           "a5:mgather.row.zero dst=f32[256x8] idx=i32[1x256] table=f32[512x8]",
           bench::Indices::Outside30},
    Family{"last_wins", "a5:mscatter.row src=f32[1000x64] idx=i32[1x1000] table=f32[64x64]"},
    Family{"tscatter_i16", "cpu:tscatter src=i16[32x64] idx=u16[32x64] dst=i16[64x64]"},
    Family{"mask_f32", "a5:tscatter.p0101 src=f32[32x32] dst=f32[32x64]"},
    Family{"mask_f16", "a5:tscatter.p0010 src=f16[32x32] dst=f16[32x128]"},
    Family{"mask_i8", "a5:tscatter.p0101 src=i8[32x32] dst=i8[32x64]"},
    Family{"tgatherb_element", "a5:tgatherb src=f32[32x64] offset=u32[32x64] dst=f32[32x64]"},
    Family{"tgatherb_block", "a5:tgatherb.block src=f32[32x64] offset=u32[32x8] dst=f32[32x64]"},
};

// Every '?' gets what its padded neighbour has.
BoundSpec bound_spec(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  const bool is_row = spec.coalesce == Coalesce::Row;
  const std::array<Binding, 6> values = {{{Dim::TableD3, spec.data.rows},
                                          {Dim::TableD4, is_row ? spec.data.cols : 4096},
                                          {Dim::DataVr, spec.data.rows},
                                          {Dim::DataVc, spec.data.cols},
                                          {Dim::IndexVr, spec.index.rows},
                                          {Dim::IndexVc, spec.index.cols}}};
  std::vector<Binding> open;
  for (const Binding& value : values) {
    if (get(spec, value.dim) == kRuntime) open.push_back(value);
  }
  return *jit::bind(legal, open);
}

void fill_indices(const Frame& frame, const BoundSpec& target, bench::Indices kind) {
  if (!target.plan().has_index()) return;
  const KernelSpec& spec = target.spec();
  const std::uint64_t step = spec.unit == Unit::Block             ? 32
                             : operation_of(spec.op).counts_bytes ? target.plan().element_size
                                                                  : 1;
  auto* at = static_cast<std::byte*>(const_cast<void*>(frame.index));
  const auto bytes = static_cast<std::size_t>(tile_bytes(spec.index));
  bench::CellIndices indices(
      kind, bytes, static_cast<std::uint32_t>(indexed_slots(target.plan(), frame) / step));
  fill({at, bytes}, spec.index.dtype, [&](std::size_t) { return indices.next() * step; });
}

double nanoseconds(const Kernel& kernel, const Frame& frame, int calls) {
  return cli::nanoseconds_of([&] {
           for (int i = 0; i < calls; ++i) kernel(frame);
         }) /
         calls;
}

// Counters: nanoseconds a call by each.
void against_xbyak(benchmark::State& state, const Family& family) {
  const LegalSpec legal = *verify(*parse(family.spec));
  const BoundSpec target = bound_spec(legal);
  const Result<Kernel> llvm = compile(legal, {.backend = Backend::Llvm});
  const Result<Kernel> xbyak = compile(legal, {.backend = Backend::Xbyak});
  if (!llvm || !xbyak) return state.SkipWithError("this build lacks one of the two backends");
  std::vector<std::vector<double>> times;
  for (auto _ : state) {
    MadeMemory::make({&target, 1}, 1)->after(target, [&](const Frame& frame) {
      fill_indices(frame, target, family.indices);
      const int calls = static_cast<int>(20000 / nanoseconds(*xbyak, frame, 50)) + 1;
      times = cli::take_turns(2, 21, cli::Order::Same, [&](std::size_t turn) {
        return nanoseconds(turn == 0 ? *llvm : *xbyak, frame, calls);
      });
    });
  }
  state.counters["ns"] = bench::quantile(times[0], 0.5);
  state.counters["K"] = bench::quantile(times[1], 0.5);
}

// The median over the families of making a kernel.
void compile_families(benchmark::State& state) {
  std::vector<double> times;
  for (auto _ : state) {
    for (const Family& family : kFamilies) {
      const KernelSpec spec = *parse(family.spec);
      clear_cache();
      bool is_made = false;
      times.push_back(cli::nanoseconds_of(
          [&] { is_made = compile(spec, {.backend = Backend::Llvm}).has_value(); }));
      if (!is_made) return state.SkipWithError(family.name);
    }
  }
  state.counters["ns"] = bench::quantile(times, 0.5);
}

void compile_from_disk(benchmark::State& state) {
  const Result<Scratch> root = Scratch::make();
  if (!root) return state.SkipWithError("no temporary folder");
  const ObjectCacheOptions before = object_cache().options();
  object_cache().use({.directory = root->path().string()});
  for (const Family& family : kFamilies) {
    static_cast<void>(compile(*parse(family.spec), {.backend = Backend::Llvm}));
  }
  compile_families(state);
  object_cache().use(before);
}

BENCHMARK(compile_families)->Name("compiles/llvm")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(compile_from_disk)
    ->Name("compiles/llvm_from_disk")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

[[maybe_unused]] const bool kRegistered = [] {
  for (const Family& family : kFamilies) {
    const std::string name = std::string("llvm/") + family.name;
    benchmark::RegisterBenchmark(
        name.c_str(), [&family](benchmark::State& state) { against_xbyak(state, family); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace pto::jit
