// Where things are: elements in tiles and tables, and the slots that indices resolve to. Offsets
// count elements unless they say bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/dtype.h"
#include "ir/spec.h"

namespace pto::jit::model {

// The element `at` elements after `storage`, as bits zero-extended to 32. Memory is little-endian.
std::uint32_t load(const std::byte* storage, std::int64_t at, DType dtype);
void save(std::byte* storage, std::int64_t at, DType dtype, std::uint32_t bits);

// Storage offset of element (row, col).
std::int64_t offset_in(const Tile& tile, std::int64_t row, std::int64_t col);

// All of the allocation, padding included.
std::int64_t bytes_of(const Tile& tile);
void clear(const Tile& tile, std::byte* storage);

std::array<std::int64_t, 5> strides_of(const Table& table);

// Whether one index moves a row of the table, and whether that table is in NZ blocks.
bool moves_rows(const KernelSpec& spec);
bool uses_nz(const KernelSpec& spec);

// How many slots the indices of `spec` choose among: at most 2^32, beyond what any index reaches.
std::int64_t capacity_of(const KernelSpec& spec);

// Elements between consecutive row slots of an ND table.
std::int64_t row_pitch(const KernelSpec& spec);

// Table offset of element slot `slot` of an NZ table whose capacity is not zero.
std::int64_t nz_element_offset(const Table& table, std::int64_t slot);

// The raw index at `row`, `col` of the walked region. A negative one is a large one.
std::uint32_t index_at(const KernelSpec& spec, const std::byte* index, std::int64_t row,
                       std::int64_t col);

// The slot a raw index resolves to, or nothing when it is out of bounds and the policy keeps it so.
std::optional<std::int64_t> resolve(const KernelSpec& spec, std::uint32_t raw);

// What TGATHERB reads at one byte offset, and the largest offset at which that lies in the source.
std::int64_t unit_bytes(const KernelSpec& spec);
std::int64_t last_unit_offset(const KernelSpec& spec);

}  // namespace pto::jit::model
