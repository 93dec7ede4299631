#include "jit/calls/index_place.h"

#include <cstring>

#include "ir/operands.h"
#include "jit/calls/checked_call.h"

namespace pto::jit {
namespace {

std::string number(const Tile& tile, std::uint32_t raw) {
  const std::string plain = std::to_string(raw);
  const std::int64_t range = std::int64_t{1} << (8 * size_of(tile.dtype));
  const bool is_negative = info_of(tile.dtype).kind == NumberKind::Signed && raw >= range / 2;
  return is_negative ? plain + " (" + std::to_string(raw - range) + ", read as unsigned)" : plain;
}

}  // namespace

IndexPlace index_at(const KernelSpec& bound, const Frame& frame, std::int64_t position) {
  const Tile& tile = bound.index;
  const TilePlace at = place_in(tile, position);
  const bool is_column_major = tile.layout == TileLayout::ColMajor;
  const std::int64_t element =
      is_column_major ? at.col * tile.rows + at.row : at.row * tile.cols + at.col;
  IndexPlace out = {position, at.row, at.col, 0};
  std::memcpy(&out.raw, static_cast<const std::byte*>(frame.index) + element * size_of(tile.dtype),
              static_cast<std::size_t>(size_of(tile.dtype)));
  return out;
}

std::string place_text(const IndexPlace& place) {
  return "row " + std::to_string(place.row) + ", column " + std::to_string(place.col) +
         " (position " + std::to_string(place.position) + ")";
}

std::string describe(const KernelSpec& bound, const IndexPlace& place) {
  return std::string(operand_name(bound.op, Role::Index)) + " at " + place_text(place) + " is " +
         number(bound.index, place.raw);
}

std::string others_text(std::int64_t count) {
  if (count <= 0) return "";
  return "; " + std::to_string(count) +
         (count == 1 ? " more index is out of range" : " more indices are out of range");
}

}  // namespace pto::jit
