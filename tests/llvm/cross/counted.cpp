// A program that clang makes for aarch64: for each counted cell it calls the kernel that was
// emitted for it, then what C++ makes of it in each form there is. It runs in an emulator that
// writes down what is executed: by the marks one call is told from another. Memory comes from files
// and goes to one, for what the system does is not executed there.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/families/moves.h"
#include "bench/families/static_moves.h"
#include "ir/frame.h"
#include "tests/llvm/cross/counted_cells.h"

using Kernel = void (*)(const pto::jit::Frame*);
extern const Kernel kKernels[];  // those of the cells, in order

#define MARK extern "C" __attribute__((noinline)) void
MARK mark_kernel() { asm volatile("" ::"i"(0)); }
MARK mark_move() { asm volatile("" ::"i"(1)); }
MARK mark_end() { asm volatile("" ::"i"(2)); }

namespace pto::jit::tests {
namespace {

struct Memory {
  alignas(64) unsigned char tile[kCountedBytes];
  alignas(64) unsigned char table[kCountedBytes];
};
Memory memory;
alignas(64) unsigned char indices[kCountedIndexBytes];
void* ranks[] = {memory.table, memory.table + kCountedBytes / 4, memory.table + kCountedBytes / 2,
                 memory.table + kCountedBytes / 4 * 3};
int files[3] = {-1, -1, -1};

void insist(bool is_done) {
  if (!is_done) std::abort();
}

template <class Call>
void watch(void (*mark)(), const Call& call) {
  insist(pread(files[0], &memory, sizeof memory, 0) == sizeof memory);
  mark();
  call();
  mark_end();
  insist(write(files[2], &memory, sizeof memory) == sizeof memory);
}

template <std::size_t kAt>
void count_one() {
  constexpr KernelSpec kSpec = kCountedCells.cells[kAt].spec;
  insist(pread(files[1], indices, sizeof indices, kAt * sizeof indices) == sizeof indices);
  const Frame frame = {memory.tile, indices, memory.table, ranks, nullptr, nullptr, {}, {}};
  watch(mark_kernel, [&] { kKernels[kAt](&frame); });
  const auto count_move = [](bench::Move known) {
    const bench::Move volatile move = known;  // or it would become part of this function
    void* table = kSpec.op == Op::CommTScatter ? static_cast<void*>(ranks) : memory.table;
    watch(mark_move, [&] { move(memory.tile, indices, table); });
  };
  count_move(bench::static_move_of<kSpec>());
  if constexpr (bench::kHasCopies<kSpec>) count_move(&bench::copy_rows<kSpec>);
  if constexpr (bench::kHasSpares<kSpec>) count_move(bench::move_with_spares<kSpec>());
}

template <std::size_t... kAt>
void count_all(std::index_sequence<kAt...>) {
  (count_one<kAt>(), ...);
}

}  // namespace
}  // namespace pto::jit::tests

int main() {
  using namespace pto::jit::tests;
  files[0] = open("memory", O_RDONLY);
  files[1] = open("indices", O_RDONLY);
  files[2] = open("results", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  count_all(std::make_index_sequence<kCountedCells.count>());
}
