#include "jit/text/assembler/mlir_types.h"

#include <array>

namespace pto::jit {
namespace {

constexpr std::array<std::string_view, kDTypes.size()> kElements = {
    "i8",  "ui8",  "i16", "ui16",     "i32",    "ui32",
    "f16", "bf16", "f32", "f8E4M3FN", "f8E5M2", "!pto.hif8"};

// How blocks of a tile follow each other, and the elements inside one.
struct LayoutWords {
  std::string_view blocks;
  std::string_view inside;
};

constexpr std::array<LayoutWords, 3> kLayouts = {
    {{"row_major", "none_box"}, {"col_major", "none_box"}, {"col_major", "row_major"}}};

const LayoutWords& words_of(TileLayout layout) {
  return kLayouts[static_cast<std::size_t>(layout)];
}

std::string extent(std::int64_t value) { return value == kRuntime ? "?" : std::to_string(value); }

bool is_all_valid(const Tile& tile) { return tile.vr == tile.rows && tile.vc == tile.cols; }

std::string shaped(const Tile& tile) {
  const std::array<std::int64_t, 2> extents = {tile.rows, tile.cols};
  return shaped(extents, tile.dtype);
}

}  // namespace

std::string_view element_type(DType dtype) { return kElements[static_cast<std::size_t>(dtype)]; }

std::string shaped(std::span<const std::int64_t> extents, DType dtype) {
  std::string out;
  for (const std::int64_t value : extents) out += extent(value) + "x";
  return out.append(element_type(dtype));
}

std::string shaped(const Table& table) {
  const std::vector<std::int64_t> extents(table.shape.begin() + first_written(table),
                                          table.shape.end());
  return shaped(extents, table.dtype);
}

std::string tile_buf_type(const Tile& tile, bool is_zero_padded) {
  if (tile.layout == TileLayout::RowMajor && is_all_valid(tile) && !is_zero_padded)
    return "!pto.tile_buf<vec, " + shaped(tile) + ">";
  const LayoutWords& layout = words_of(tile.layout);
  return std::string("!pto.tile_buf<loc=vec, dtype=").append(element_type(tile.dtype)) +
         ", rows=" + extent(tile.rows) + ", cols=" + extent(tile.cols) +
         ", v_row=" + extent(tile.vr) + ", v_col=" + extent(tile.vc) +
         ", blayout=" + std::string(layout.blocks) + ", slayout=" + std::string(layout.inside) +
         ", fractal=512, pad=" + (is_zero_padded ? "1>" : "0>");
}

std::string tile_fields(const Tile& tile) {
  std::string out = shaped(tile);
  if (!is_all_valid(tile)) out += ", valid=" + extent(tile.vr) + "x" + extent(tile.vc);
  const LayoutWords& layout = words_of(tile.layout);
  if (tile.layout != TileLayout::RowMajor) out.append(", blayout=").append(layout.blocks);
  if (tile.layout == TileLayout::Nz) out.append(", slayout=").append(layout.inside);
  return out;
}

std::string tile_record(const Tile& tile) {
  const LayoutWords& layout = words_of(tile.layout);
  return std::string("vec, ").append(element_type(tile.dtype)) + ", " + extent(tile.rows) + ", " +
         extent(tile.cols) + ", " + std::string(layout.blocks) + ", " + std::string(layout.inside) +
         ", 512, 0";
}

}  // namespace pto::jit
