// MGATHER: a table in global memory into a tile, by rows or by elements. Nothing is combined and
// no two reads collide, so only the addresses distinguish the forms.
#include <array>
#include <cstdint>
#include <optional>

#include "tests/model/addressing.h"
#include "tests/model/operations.h"

namespace pto::jit::model {
namespace {

// The cpu target ignores the policy.
bool clears_misses(const KernelSpec& spec) {
  return spec.oob == Oob::Zero && spec.target != Target::Cpu;
}

void read(const KernelSpec& spec, const Memory& memory, std::int64_t table_at,
          std::int64_t tile_at) {
  const DType dtype = spec.data.dtype;
  save(memory.data, tile_at, dtype, load(memory.table, table_at, dtype));
}

void miss(const KernelSpec& spec, const Memory& memory, std::int64_t tile_at) {
  if (clears_misses(spec)) save(memory.data, tile_at, spec.data.dtype, 0);
}

void gather_elements(const KernelSpec& spec, const Memory& memory) {
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      const std::int64_t tile_at = offset_in(spec.data, r, c);
      const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, c));
      if (!slot) {
        miss(spec, memory, tile_at);
      } else if (uses_nz(spec)) {
        read(spec, memory, nz_element_offset(spec.table, *slot), tile_at);
      } else {
        read(spec, memory, *slot, tile_at);
      }
    }
  }
}

void gather_nd_rows(const KernelSpec& spec, const Memory& memory) {
  const std::int64_t pitch = row_pitch(spec);
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, 0));
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      const std::int64_t tile_at = offset_in(spec.data, r, c);
      if (slot) {
        read(spec, memory, *slot * pitch + c, tile_at);
      } else {
        miss(spec, memory, tile_at);
      }
    }
  }
}

void read_nz_row(const KernelSpec& spec, const Memory& memory, std::int64_t slot, std::int64_t r) {
  const std::array<std::int64_t, 5> s = strides_of(spec.table);
  const std::int64_t width = block_elements(spec.data.dtype);
  const std::int64_t row_at = (slot / kNzBlockRows) * s[2] + (slot % kNzBlockRows) * s[3];
  for (std::int64_t i = 0; i < spec.table.shape[0]; ++i) {
    for (std::int64_t b = 0; b < spec.table.shape[1]; ++b) {
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t block = i * spec.table.shape[1] + b;
        read(spec, memory, i * s[0] + b * s[1] + row_at + j,
             block * spec.data.rows * width + r * width + j);
      }
    }
  }
}

// A whole row of the table moves, however many columns of the tile are valid, but none of them
// valid moves nothing. Misses need no clearing of their own: the whole tile was cleared.
void gather_nz_rows(const KernelSpec& spec, const Memory& memory) {
  if (clears_misses(spec)) clear(spec.data, memory.data);
  if (spec.data.vc == 0) return;
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, 0));
    if (slot) read_nz_row(spec, memory, *slot, r);
  }
}

}  // namespace

void gather_from_table(const KernelSpec& spec, const Memory& memory) {
  if (!moves_rows(spec)) return gather_elements(spec, memory);
  return uses_nz(spec) ? gather_nz_rows(spec, memory) : gather_nd_rows(spec, memory);
}

}  // namespace pto::jit::model
