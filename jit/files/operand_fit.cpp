#include "jit/files/operand_fit.h"

#include <algorithm>
#include <utility>

#include "ir/canonical.h"
#include "ir/quantity.h"
#include "ir/storage.h"

namespace pto::jit::cli {
namespace {

using Bytes = std::vector<std::byte>;
using Shape = std::vector<std::int64_t>;

// Elements from one row, and from one column, to the next.
std::array<std::int64_t, 2> pitches_of(const Tile& tile) {
  const bool is_column_major = tile.layout == TileLayout::ColMajor;
  return is_column_major ? std::array<std::int64_t, 2>{1, tile.rows}
                         : std::array<std::int64_t, 2>{tile.cols, 1};
}

// In an array of what is valid elements lie row by row; a tile with another order has none.
Shape valid_shape(const Tile& tile) {
  const bool is_line = tile.layout == TileLayout::ColMajor && (tile.vr <= 1 || tile.vc <= 1);
  return tile.layout == TileLayout::RowMajor || is_line ? Shape{tile.vr, tile.vc} : Shape{};
}

// Whether an array of what is valid begins as the storage does.
bool is_front(const Tile& tile) {
  const auto [row, col] = pitches_of(tile);
  return (tile.vr <= 1 || row == tile.vc) && (tile.vc <= 1 || col == 1);
}

Bytes spread(const Tile& tile, std::span<const std::byte> valid) {
  const auto size = static_cast<std::size_t>(size_of(tile.dtype));
  const auto [row_pitch, col_pitch] = pitches_of(tile);
  Bytes out(static_cast<std::size_t>(tile_bytes(tile)));
  const std::byte* from = valid.data();
  for (std::int64_t row = 0; row < tile.vr; ++row) {
    for (std::int64_t col = 0; col < tile.vc; ++col, from += size) {
      const auto at = static_cast<std::size_t>(row * row_pitch + col * col_pitch);
      std::copy_n(from, size, out.begin() + static_cast<std::ptrdiff_t>(at * size));
    }
  }
  return out;
}

ArrayNeed need_of(const BoundSpec& kernel, const StorageRequest& wanted) {
  const Role role = wanted.operand->role;
  const DType dtype = dtype_of(kernel.spec(), role);
  return {.dtype = dtype,
          .storage = storage_shape(kernel, role),
          .valid = is_tile(role) ? valid_shape(tile_of(kernel.spec(), role)) : Shape{},
          .least = wanted.touched / size_of(dtype),
          .may_be_longer = !is_tile(role)};
}

Result<Done> check_raw(std::int64_t has, const StorageRequest& wanted, DType dtype) {
  const bool is_bounded = is_tile(wanted.operand->role);
  const bool is_whole = has % size_of(dtype) == 0;
  if (has >= wanted.touched && (!is_bounded || has <= wanted.bytes) && is_whole) return Done{};
  const std::string least = std::to_string(wanted.touched);
  const std::string most = std::to_string(wanted.bytes);
  return error("file.size",
               "the file has " + std::to_string(has) + " bytes, the operand needs " +
                   (!is_bounded     ? "at least " + least
                    : least == most ? most
                                    : least + " to " + most) +
                   (is_whole ? "" : " in whole elements of " + std::to_string(size_of(dtype))));
}

Result<Payload> fit(const BoundSpec& kernel, const StorageRequest& wanted, const InputFile& file) {
  const Role role = wanted.operand->role;
  const DType dtype = dtype_of(kernel.spec(), role);
  const Storage payload = file.payload();
  const auto size = static_cast<std::size_t>(size_of(dtype));
  if (!file.array()) {
    const auto has = static_cast<std::int64_t>(payload.bytes.size());
    if (Result<Done> checked = check_raw(has, wanted, dtype); !checked) return checked.error();
    return Payload{payload, file.range()};
  }
  const ArrayNeed need = need_of(kernel, wanted);
  const Shape& shape = file.array()->header.shape;
  if (Result<Done> checked = check_array(*file.array(), need); !checked) return checked.error();
  const bool is_part = shape.size() == 2 && shape == need.valid && shape != need.storage;
  if (is_part && !is_front(tile_of(kernel.spec(), role)))
    return Payload{holding(spread(tile_of(kernel.spec(), role), payload.bytes)), {}};
  if (reinterpret_cast<std::uintptr_t>(payload.bytes.data()) % size == 0)
    return Payload{payload, file.range()};
  return Payload{holding({payload.bytes.begin(), payload.bytes.end()}), file.range()};
}

}  // namespace

Shape storage_shape(const BoundSpec& kernel, Role role) {
  const KernelSpec& spec = kernel.spec();
  if (is_tile(role)) return {tile_of(spec, role).rows, tile_of(spec, role).cols};
  const Table& table = table_of(spec, role);
  const std::int64_t elements =
      storage_bytes(spec, role, kernel.plan(), frame_of(spec)) / size_of(table.dtype);
  const bool is_whole = is_packed(table) && extents(table, 0, 5).value == elements;
  return is_whole ? Shape(table.shape.begin(), table.shape.end()) : Shape{elements};
}

Shape shape_of_file(const BoundSpec& kernel, Role role, std::int64_t elements) {
  Shape shape = storage_shape(kernel, role);
  if (is_tile(role)) return shape;
  std::int64_t named = 1;
  for (const std::int64_t extent : shape) named = saturating_product(named, extent);
  if (named != elements) return {elements};
  while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

Result<Payload> fit_operand(const BoundSpec& kernel, const StorageRequest& wanted,
                            const OperandInput& input) {
  Result<Payload> payload = fit(kernel, wanted, input.file);
  if (Result<Done> kept = input.file.check(); !kept) return kept.error();
  if (!payload) return input.file.complaint(payload.error());
  return payload;
}

}  // namespace pto::jit::cli
