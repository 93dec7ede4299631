// MSCATTER: a tile into a table in global memory, by rows or by elements.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "tests/model/addressing.h"
#include "tests/model/arithmetic.h"
#include "tests/model/operations.h"

namespace pto::jit::model {
namespace {

// The cpu target always replaces.
Atomic atomic_of(const KernelSpec& spec) {
  return spec.target == Target::Cpu ? Atomic::None : spec.atomic;
}

void write(const KernelSpec& spec, const Memory& memory, std::int64_t table_at,
           std::int64_t tile_at) {
  const DType dtype = spec.data.dtype;
  const std::uint32_t old = load(memory.table, table_at, dtype);
  const std::uint32_t value = load(memory.data, tile_at, dtype);
  save(memory.table, table_at, dtype, combine(dtype, atomic_of(spec), old, value));
}

// The flat slot is the address, whatever the strides.
void scatter_nd_elements(const KernelSpec& spec, const Memory& memory) {
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, c));
      if (slot) write(spec, memory, *slot, offset_in(spec.data, r, c));
    }
  }
}

// Walks by block column, then row, then column in the block, which decides who writes last.
void scatter_nz_elements(const KernelSpec& spec, const Memory& memory) {
  const std::int64_t width = block_elements(spec.data.dtype);
  for (std::int64_t first = 0; first < spec.data.vc; first += width) {
    const std::int64_t end = std::min<std::int64_t>(first + width, spec.data.vc);
    for (std::int64_t r = 0; r < spec.data.vr; ++r) {
      for (std::int64_t c = first; c < end; ++c) {
        const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, c));
        if (!slot) continue;
        write(spec, memory, nz_element_offset(spec.table, *slot), offset_in(spec.data, r, c));
      }
    }
  }
}

void scatter_nd_rows(const KernelSpec& spec, const Memory& memory) {
  const std::int64_t pitch = row_pitch(spec);
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, 0));
    if (!slot) continue;
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      write(spec, memory, *slot * pitch + c, offset_in(spec.data, r, c));
    }
  }
}

void write_nz_row(const KernelSpec& spec, const Memory& memory, std::int64_t slot, std::int64_t r) {
  const std::array<std::int64_t, 5> s = strides_of(spec.table);
  const std::int64_t width = block_elements(spec.data.dtype);
  const std::int64_t row_at = (slot / kNzBlockRows) * s[2] + (slot % kNzBlockRows) * s[3];
  for (std::int64_t i = 0; i < spec.table.shape[0]; ++i) {
    for (std::int64_t b = 0; b < spec.table.shape[1]; ++b) {
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t block = i * spec.table.shape[1] + b;
        write(spec, memory, i * s[0] + b * s[1] + row_at + j,
              block * spec.data.rows * width + r * width + j);
      }
    }
  }
}

// A whole row of the table moves, however many columns of the tile are valid, but none of them
// valid moves nothing.
void scatter_nz_rows(const KernelSpec& spec, const Memory& memory) {
  if (spec.data.vc == 0) return;
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, 0));
    if (slot) write_nz_row(spec, memory, *slot, r);
  }
}

}  // namespace

void scatter_to_table(const KernelSpec& spec, const Memory& memory) {
  if (moves_rows(spec)) {
    return uses_nz(spec) ? scatter_nz_rows(spec, memory) : scatter_nd_rows(spec, memory);
  }
  return uses_nz(spec) ? scatter_nz_elements(spec, memory) : scatter_nd_elements(spec, memory);
}

}  // namespace pto::jit::model
