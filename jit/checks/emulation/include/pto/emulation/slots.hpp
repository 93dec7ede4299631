// From raw indices to slots, and from slots to places in a table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "pto/emulation/execution.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/views.hpp"

namespace pto::emulation {

enum class OutOfBounds : std::uint8_t { Undefined, Skip, Clamp, Wrap, Zero };

constexpr OutOfBounds policy_of(ScatterOOB policy) {
  switch (policy) {
    case ScatterOOB::Undefined: return OutOfBounds::Undefined;
    case ScatterOOB::Skip: return OutOfBounds::Skip;
    case ScatterOOB::Clamp: return OutOfBounds::Clamp;
    case ScatterOOB::Wrap: return OutOfBounds::Wrap;
  }
  return OutOfBounds::Undefined;
}

constexpr OutOfBounds policy_of(GatherOOB policy) {
  switch (policy) {
    case GatherOOB::Undefined: return OutOfBounds::Undefined;
    case GatherOOB::Clamp: return OutOfBounds::Clamp;
    case GatherOOB::Wrap: return OutOfBounds::Wrap;
    case GatherOOB::Zero: return OutOfBounds::Zero;
  }
  return OutOfBounds::Undefined;
}

// Indices are unsigned, of 32 bits at most. With no capacity everything is out of bounds and only
// skipping and zeroing do anything about it.
inline std::optional<std::int64_t> slot_of(std::uint32_t raw, OutOfBounds policy,
                                           std::int64_t capacity) {
  const std::int64_t index = raw;
  if (capacity == 0) return std::nullopt;
  switch (policy) {
    case OutOfBounds::Undefined: return index;
    case OutOfBounds::Clamp: return std::min(index, capacity - 1);
    case OutOfBounds::Wrap: return index % capacity;
    case OutOfBounds::Skip:
    case OutOfBounds::Zero: break;
  }
  return index < capacity ? std::optional(index) : std::nullopt;
}

// Row index tiles are [1,R] row-major or [R,1] column-major, so linear; others are addressed as
// any tile. Loading as bits extends by zeros, which makes a negative index a large one.
inline std::uint32_t row_index(Execution& run, OperationId now, const TileView& index,
                               std::int64_t row) {
  return run.load(now, stored_at(index, row), index.type.element);
}

inline std::uint32_t index_at(Execution& run, OperationId now, const TileView& index,
                              std::int64_t row, std::int64_t col) {
  return run.load(now, element_of(index, row, col), index.type.element);
}

// Columns of the matrix that an NZ table holds.
inline std::int64_t nz_columns(const TableView& table) {
  return table.shape[0] * table.shape[1] * block_elements(table.element);
}

inline std::int64_t row_capacity(const TableView& table, Device device) {
  if (table.layout == TableLayout::Nz) return table.shape[2] * kNzBlockRows;
  return device == Device::A5 ? table.shape[3] : product_of_extents(table, 4);
}

inline std::int64_t element_capacity(const TableView& table) {
  if (table.layout != TableLayout::Nz) return product_of_extents(table, 5);
  return table.shape[2] * kNzBlockRows * nz_columns(table);
}

// Where an NZ table keeps the first element of a row's first block.
inline std::int64_t nz_row_offset(const TableView& table, std::int64_t row) {
  return row / kNzBlockRows * table.stride[2] + row % kNzBlockRows * table.stride[3];
}

// The flat slot of an ND table is the offset, whatever the strides say.
inline std::int64_t element_offset(const TableView& table, std::int64_t slot) {
  if (table.layout != TableLayout::Nz) return slot;
  const std::int64_t row = slot / nz_columns(table);
  const std::int64_t col = slot % nz_columns(table);
  const std::int64_t width = block_elements(table.element);
  const std::int64_t block = col / width;
  return nz_row_offset(table, row) + block / table.shape[1] * table.stride[0] +
         block % table.shape[1] * table.stride[1] + col % width * table.stride[4];
}

// `visit(row, col)` over the valid region: by rows, but NZ tiles by block column, then row, then
// column in the block.
template <typename Visit>
void walk(const TileView& tile, Visit visit) {
  const bool is_nz = tile.type.layout == TileLayout::Nz;
  const std::int64_t width =
      is_nz ? block_elements(tile.type.element) : std::max<std::int64_t>(tile.valid_cols, 1);
  for (std::int64_t first = 0; first < tile.valid_cols; first += width) {
    const std::int64_t end = std::min(first + width, tile.valid_cols);
    for (std::int64_t row = 0; row < tile.valid_rows; ++row) {
      for (std::int64_t col = first; col < end; ++col) visit(row, col);
    }
  }
}

}  // namespace pto::emulation
