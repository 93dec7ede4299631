// How the PTO dialect of MLIR spells types: elements, shapes, tiles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/spec.h"

namespace pto::jit {

// "ui8" for u8: signed integers are signless there.
std::string_view element_type(DType dtype);

// "64x?xf32"; an extent of kRuntime is '?'.
std::string shaped(std::span<const std::int64_t> extents, DType dtype);

// The dimensions of a table that a text writes: without leading ones, but at least two.
constexpr int first_written(const Table& table) {
  int dim = 0;
  while (dim < 3 && table.shape[static_cast<std::size_t>(dim)] == 1) ++dim;
  return dim;
}
std::string shaped(const Table& table);

// "!pto.tile_buf<vec, 8x32xf32>", or every field by name where not all is valid or row-major, or
// where loads fill what is not valid with zeros.
std::string tile_buf_type(const Tile& tile, bool is_zero_padded = false);

// "8x32xf32, valid=3x17": what stands inside "!pto.tile<...>".
std::string tile_fields(const Tile& tile);

// The eight fields of a tile in the order MGATHER's document lists them.
std::string tile_record(const Tile& tile);

}  // namespace pto::jit
