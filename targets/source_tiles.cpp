// Tiles of a kernel, whole or one part of a loop, and the memory they are loaded from and stored
// to: laid out as their storage is, so that a part is found by a step.
#include <algorithm>

#include "ir/quantity.h"
#include "targets/source_parts.h"

namespace pto::jit {
namespace {

Amount number(std::int64_t value) { return value; }

// Tiles that move whole whatever is valid of them: NZ goes in blocks, a mask clears the rest.
bool moves_whole(const KernelSpec& spec, Role role) {
  const bool is_spread = shape_of(spec.mask).factor != 1;
  return tile_of(spec, role).layout == TileLayout::Nz || (role == Role::Store && is_spread);
}

std::int32_t narrowed(std::int64_t value) { return static_cast<std::int32_t>(value); }

// Rows of a tile are whole blocks, also where those of the memory it is loaded from are not.
std::int32_t padded_width(const Tile& tile) {
  return narrowed(round_up(tile.cols, block_elements(tile.dtype)));
}

// Storage that is addressed by a flat offset, as one row: padded rows would move its elements.
TileType in_one_row(TileType type, const Tile& storage) {
  Tile flat = storage;
  flat.cols = storage.rows * storage.cols;
  type.rows = 1;
  type.cols = padded_width(flat);
  type.valid_rows = extent_of({number(1)});
  type.valid_cols = extent_of({number(flat.cols)});
  return type;
}

}  // namespace

TilePlanner::TilePlanner(const KernelSpec& spec, const ExtentTable& extents,
                         const Chunking& chunking)
    : spec_(spec), extents_(extents), chunking_(chunking) {
  if (chunking.axis != ChunkAxis::Whole) plan_loop();
}

void TilePlanner::plan_loop() {
  const bool by_rows = chunking_.axis == ChunkAxis::Rows;
  const bool is_nz = spec_.data.layout == TileLayout::Nz;
  const std::int32_t width = block_elements(spec_.data.dtype);
  Loop loop;
  loop.variable = by_rows ? "row" : "col";
  loop.count = by_rows ? "rows" : "cols";
  loop.valid = extents_.of(by_rows ? Dim::DataVr : Dim::DataVc);
  loop.total = loop.valid;
  loop.step = chunking_.step * (chunking_.axis == ChunkAxis::BlockColumns ? width : 1);
  if (is_nz) loop.block = by_rows ? kNzBlockRows : width;
  if (is_nz && by_rows && spec_.oob == Oob::Zero) loop.total = spec_.data.rows;
  loop.is_even =
      loop.total == loop.valid && loop.total.is_static() && loop.total.factor % loop.step == 0;
  loop_ = loop;
}

// Whether the loop goes along this side of a tile.
bool TilePlanner::is_cut(Role role, bool is_row) const {
  if (!loop_) return false;
  const bool by_rows = chunking_.axis == ChunkAxis::Rows;
  const bool lies = role == Role::Index && spec_.coalesce == Coalesce::Row &&
                    spec_.index.layout == TileLayout::RowMajor;  // row indices in one row
  return is_row == (by_rows && !lies);
}

Tile TilePlanner::padded(Role role) const {
  Tile out = tile_of(spec_, role);
  if (out.layout == TileLayout::RowMajor) out.cols = padded_width(out);
  if (loop_) {
    const bool is_flat_index = role == Role::Index && spec_.coalesce == Coalesce::Row;
    const std::int64_t grain = is_flat_index ? block_elements(out.dtype) : 1;
    if (is_cut(role, true)) out.rows = narrowed(round_up(loop_->step, grain));
    if (is_cut(role, false)) out.cols = narrowed(round_up(loop_->step, grain));
    return out;
  }
  // Rows that are never valid are not worth a place, and a load may not be able to pass them over.
  const Budget& budget = profile_of(spec_.target).budget;
  const bool is_memory = family_of(spec_.op) == Family::Memory;
  const bool is_too_tall = budget.load_rows > 0 && out.rows > budget.load_rows;
  if (is_memory && is_too_tall && out.layout == TileLayout::RowMajor) out.rows = out.vr;
  return out;
}

Value TilePlanner::count() const {
  return loop_->is_even ? Value{number(loop_->step)} : Value{1, Local::Count};
}

Value TilePlanner::valid(Role role, bool is_row) const {
  return is_cut(role, is_row) ? count() : Value{extents_.of(first_extent(role) + (is_row ? 0 : 1))};
}

// The same storage, all of it valid; in a part of a loop, its blocks.
TileType TilePlanner::storage_view(Role role, const TileType& type) const {
  TileType out = type;
  const auto along = [&](bool is_row, std::int64_t whole) {
    const bool is_counted = is_cut(role, is_row) && !loop_->is_even;
    return extent_of(is_counted ? Value{loop_->block, Local::Blocks} : Value{whole});
  };
  out.valid_rows = along(true, type.rows);
  out.valid_cols = along(false, type.cols);
  return out;
}

TilePlan TilePlanner::tile(Role role) const {
  const Tile storage = padded(role);
  TilePlan out;
  out.type = {.name = std::string(operand_name(spec_.op, role)),
              .dtype = storage.dtype,
              .rows = storage.rows,
              .cols = storage.cols,
              .layout = storage.layout,
              .valid_rows = extent_of(valid(role, true)),
              .valid_cols = extent_of(valid(role, false))};
  const TileType whole = storage_view(role, out.type);
  if (is_indexed_tile(spec_.op, role)) {
    const Tile& stored = tile_of(spec_, role);
    out.type = storage.cols == stored.cols ? whole : in_one_row(whole, stored);
    return out;
  }
  if (moves_whole(spec_, role) && !(whole == out.type)) out.transfer = whole;
  return out;
}

namespace {

// A tile in memory: the layout, the shape and strides of the tensor that is moved, and how far
// apart parts are that begin one row, or one column, later.
struct MemoryOf {
  TensorLayout layout;
  std::array<Value, 5> shape;
  std::array<std::int64_t, 5> strides;
  std::int64_t row_step;
  std::int64_t col_step;
};

Value in_blocks(const Value& value, std::int64_t block) {
  return {value.local == Local::None ? number(value.amount.factor / block) : number(1),
          value.local};
}

MemoryOf memory_of(const Tile& whole, const Value& rows, const Value& cols) {
  const std::int64_t width = block_elements(whole.dtype);
  const Value one{number(1)};
  const std::array<Value, 5> flat = {one, one, one, rows, cols};
  switch (whole.layout) {
    case TileLayout::RowMajor:
      return {TensorLayout::Nd, flat, {1, 1, 1, whole.cols, 1}, whole.cols, 1};
    case TileLayout::ColMajor:
      return {TensorLayout::Dn, flat, {1, 1, 1, 1, whole.rows}, 1, whole.rows};
    case TileLayout::Nz: break;
  }
  return {TensorLayout::Nz,
          {one, in_blocks(cols, width), in_blocks(rows, kNzBlockRows), Value{number(kNzBlockRows)},
           Value{number(width)}},
          {1, whole.rows * width, kNzBlockRows * width, width, 1},
          width,
          whole.rows};
}

}  // namespace

TensorPlan TilePlanner::tensor(Role role, const TilePlan& tile) const {
  const TileType& moved = tile.transfer ? *tile.transfer : tile.type;
  const MemoryOf memory =
      memory_of(tile_of(spec_, role), moved.valid_rows.value, moved.valid_cols.value);
  TensorPlan out{.name = tile.type.name, .dtype = tile.type.dtype, .layout = memory.layout};
  for (std::size_t dim = 0; dim < 5; ++dim) {
    out.shape[dim] = extent_of(memory.shape[dim]);
    out.strides[dim] = extent_of({number(memory.strides[dim])});
  }
  if (loop_) out.step = is_cut(role, true) ? memory.row_step : memory.col_step;
  return out;
}

}  // namespace pto::jit
