// Layout formulas, capacities and out-of-bounds policies, target by target.
#include "tests/model/addressing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pto::jit::model {
namespace {

constexpr std::int64_t kBeyondIndices = std::int64_t{1} << 32;

// Exact below 2^32: no index tells larger capacities apart. `extent` has at most 31 bits, so the
// product fits.
std::int64_t bounded_product(std::int64_t product, std::int64_t extent) {
  return std::min(product * extent, kBeyondIndices);
}

std::int64_t product_of_extents(const Table& table, std::size_t count) {
  std::int64_t product = 1;
  for (std::size_t k = 0; k < count; ++k) product = bounded_product(product, table.shape[k]);
  return product;
}

// Columns of the matrix an NZ table stands for.
std::int64_t nz_columns(const Table& table) {
  return bounded_product(product_of_extents(table, 2), block_elements(table.dtype));
}

std::int64_t row_capacity(const KernelSpec& spec) {
  if (uses_nz(spec)) return bounded_product(spec.table.shape[2], kNzBlockRows);
  if (spec.target == Target::A5) return spec.table.shape[3];
  return product_of_extents(spec.table, 4);
}

std::int64_t element_capacity(const KernelSpec& spec) {
  if (!uses_nz(spec)) return product_of_extents(spec.table, 5);
  return bounded_product(bounded_product(nz_columns(spec.table), spec.table.shape[2]),
                         kNzBlockRows);
}

// The cpu target ignores the policies, and an audited kernel leaves alone what would be undefined.
Oob policy_of(const KernelSpec& spec) {
  const Oob policy = spec.target == Target::Cpu ? Oob::Undefined : spec.oob;
  return spec.audit && policy == Oob::Undefined ? Oob::Skip : policy;
}

}  // namespace

std::uint32_t load(const std::byte* storage, std::int64_t at, DType dtype) {
  const std::byte* element = storage + at * size_of(dtype);
  std::uint32_t bits = 0;
  for (std::int64_t k = size_of(dtype) - 1; k >= 0; --k) {
    bits = (bits << 8) | std::to_integer<std::uint32_t>(element[k]);
  }
  return bits;
}

void save(std::byte* storage, std::int64_t at, DType dtype, std::uint32_t bits) {
  std::byte* element = storage + at * size_of(dtype);
  for (std::int64_t k = 0; k < size_of(dtype); ++k) {
    element[k] = static_cast<std::byte>((bits >> (8 * k)) & 0xffU);
  }
}

std::int64_t offset_in(const Tile& tile, std::int64_t row, std::int64_t col) {
  const std::int64_t rows = tile.rows;
  const std::int64_t width = block_elements(tile.dtype);
  switch (tile.layout) {
    case TileLayout::RowMajor: return row * tile.cols + col;
    case TileLayout::ColMajor: return col * rows + row;
    case TileLayout::Nz: return (col / width) * rows * width + row * width + col % width;
  }
  return 0;
}

std::int64_t bytes_of(const Tile& tile) {
  return std::int64_t{tile.rows} * tile.cols * size_of(tile.dtype);
}

void clear(const Tile& tile, std::byte* storage) {
  for (std::int64_t k = 0; k < bytes_of(tile); ++k) storage[k] = std::byte{0};
}

std::array<std::int64_t, 5> strides_of(const Table& table) {
  if (table.strides != std::array<std::int64_t, 5>{}) return table.strides;
  std::array<std::int64_t, 5> packed{};
  packed[4] = 1;
  for (std::size_t k = 4; k > 0; --k) packed[k - 1] = packed[k] * table.shape[k];
  return packed;
}

// The cpu target has no rows: with one column, which is all it accepts, a row is an element.
bool moves_rows(const KernelSpec& spec) {
  const bool has_table = spec.op == Op::MScatter || spec.op == Op::MGather;
  return has_table && spec.coalesce == Coalesce::Row && spec.target != Target::Cpu;
}

bool uses_nz(const KernelSpec& spec) { return spec.table.layout == TableLayout::Nz; }

std::int64_t capacity_of(const KernelSpec& spec) {
  if (spec.op == Op::TScatter) return std::int64_t{spec.store.rows} * spec.store.cols;
  return moves_rows(spec) ? row_capacity(spec) : element_capacity(spec);
}

// The rows of an A2/A3 table are evenly spaced, so the innermost dimension with more than one row
// tells the pitch: s3, unless d3 is one and its stride means nothing.
std::int64_t row_pitch(const KernelSpec& spec) {
  if (spec.target == Target::A5) return spec.data.vc;
  const std::array<std::int64_t, 5> strides = strides_of(spec.table);
  for (std::size_t k = 4; k > 0; --k) {
    if (spec.table.shape[k - 1] > 1) return strides[k - 1];
  }
  return strides[3];
}

std::int64_t nz_element_offset(const Table& table, std::int64_t slot) {
  const std::array<std::int64_t, 5> strides = strides_of(table);
  const std::int64_t columns = nz_columns(table);
  const std::int64_t width = block_elements(table.dtype);
  const std::int64_t row = slot / columns;
  const std::int64_t col = slot % columns;
  const std::int64_t block = col / width;
  return (block / table.shape[1]) * strides[0] + (block % table.shape[1]) * strides[1] +
         (row / kNzBlockRows) * strides[2] + (row % kNzBlockRows) * strides[3] +
         (col % width) * strides[4];
}

// A Row index tile is [1,R] row-major or [R,1] column-major: linear either way.
std::uint32_t index_at(const KernelSpec& spec, const std::byte* index, std::int64_t row,
                       std::int64_t col) {
  const std::int64_t at = moves_rows(spec) ? row : offset_in(spec.index, row, col);
  return load(index, at, spec.index.dtype);
}

// Without capacity every index is out of bounds, whatever the policy.
std::optional<std::int64_t> resolve(const KernelSpec& spec, std::uint32_t raw) {
  const std::int64_t index = raw;
  const std::int64_t capacity = capacity_of(spec);
  if (capacity == 0) return std::nullopt;
  switch (policy_of(spec)) {
    case Oob::Undefined: return index;
    case Oob::Clamp: return std::min(index, capacity - 1);
    case Oob::Wrap: return index % capacity;
    case Oob::Skip:
    case Oob::Zero: return index < capacity ? std::optional(index) : std::nullopt;
  }
  return std::nullopt;
}

std::int64_t unit_bytes(const KernelSpec& spec) {
  return spec.unit == Unit::Block ? kBlockBytes : size_of(spec.data.dtype);
}

std::int64_t last_unit_offset(const KernelSpec& spec) {
  return bytes_of(spec.store) - unit_bytes(spec);
}

}  // namespace pto::jit::model
