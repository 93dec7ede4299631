// Tiles and tables as plain values, without their template arguments: the intrinsics are written
// once on these and compiled once, however many kernels use them. Offsets count elements unless
// they say bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pto/emulation/local_memory.hpp"
#include "pto/emulation/memory.hpp"

namespace pto::emulation {

struct TileView {
  std::int64_t at = 0;  // byte offset in the unified buffer
  StorageType type;
  std::int64_t valid_rows = 0;
  std::int64_t valid_cols = 0;
};

enum class TableLayout : std::uint8_t { Nd, Dn, Nz };

struct TableView {
  std::uint64_t at = 0;
  Element element = Element::I8;
  TableLayout layout = TableLayout::Nd;
  std::array<std::int64_t, 5> shape{};
  std::array<std::int64_t, 5> stride{};
};

// Elements in one 32-byte block.
constexpr std::int64_t block_elements(Element element) { return kBlockBytes / size_of(element); }

constexpr std::int64_t offset_in(const StorageType& type, std::int64_t row, std::int64_t col) {
  const std::int64_t width = block_elements(type.element);
  switch (type.layout) {
    case TileLayout::RowMajor: return row * type.cols + col;
    case TileLayout::ColMajor: return col * type.rows + row;
    case TileLayout::Nz: return col / width * type.rows * width + row * width + col % width;
  }
  return 0;
}

// The element `offset` elements into the tile's storage.
inline Place stored_at(const TileView& tile, std::int64_t offset) {
  return in_ub(tile.at + offset * size_of(tile.type.element));
}

inline Place element_of(const TileView& tile, std::int64_t row, std::int64_t col) {
  return stored_at(tile, offset_in(tile.type, row, col));
}

inline Place element_of(const TableView& table, std::int64_t offset) {
  return in_gm(table.at + static_cast<std::uint64_t>(offset * size_of(table.element)));
}

// How many elements the first `dims` dimensions have together.
inline std::int64_t product_of_extents(const TableView& table, std::size_t dims) {
  std::int64_t product = 1;
  for (std::size_t k = 0; k < dims; ++k) product *= table.shape[k];
  return product;
}

inline bool share_bytes(const TileView& left, const TileView& right) {
  return left.at < right.at + right.type.bytes() && right.at < left.at + left.type.bytes();
}

}  // namespace pto::emulation
