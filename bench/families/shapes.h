// Specs by their shape: the few numbers a family varies, and the padding that targets ask for.
#pragma once

#include <algorithm>

#include "bench/families/cell.h"

namespace pto::jit::bench {

// What a family varies. `count` indices; each names a row of `width` elements, or one element.
struct Shape {
  Op op = Op::MGather;
  DType dtype = DType::F32;
  Oob oob = Oob::Undefined;
  std::int32_t count = 256;
  std::int32_t width = 1;
  std::int32_t capacity = 64;
  Atomic atomic = Atomic::None;
};

constexpr std::int32_t rounded_up(std::int32_t value, std::int32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

constexpr Tile tile(std::int32_t rows, std::int32_t cols, DType dtype) {
  return {.rows = rows,
          .cols = rounded_up(cols, block_elements(dtype)),
          .vr = rows,
          .vc = cols,
          .dtype = dtype};
}

constexpr Table table(std::int32_t rows, std::int32_t cols, DType dtype) {
  return {.shape = {1, 1, 1, rows, cols}, .dtype = dtype};
}

constexpr KernelSpec spec_on(Target target, Op op) {
  KernelSpec spec;
  spec.target = target;
  spec.op = op;
  return spec;
}

constexpr KernelSpec memory_spec(const Shape& shape, Coalesce coalesce) {
  KernelSpec spec = spec_on(Target::A5, shape.op);
  spec.coalesce = coalesce;
  spec.oob = shape.oob;
  spec.atomic = shape.atomic;
  return spec;
}

constexpr KernelSpec row_spec(const Shape& shape) {
  KernelSpec spec = memory_spec(shape, Coalesce::Row);
  spec.data = tile(shape.count, shape.width, shape.dtype);
  spec.index = tile(1, shape.count, DType::I32);
  spec.table = table(shape.capacity, shape.width, shape.dtype);
  return spec;
}

// Elements come as tiles of 128 columns.
constexpr KernelSpec elem_spec(const Shape& shape) {
  constexpr std::int32_t kCols = 128;
  const std::int32_t cols = std::min(shape.count, kCols);
  KernelSpec spec = memory_spec(shape, Coalesce::Elem);
  spec.data = tile(shape.count / cols, cols, shape.dtype);
  spec.index = tile(shape.count / cols, cols, DType::I32);
  spec.table = table(1, shape.capacity, shape.dtype);
  return spec;
}

// Column-major tiles hold a row's elements `rows` apart.
constexpr KernelSpec column_major(KernelSpec spec) {
  spec.data.layout = TileLayout::ColMajor;
  spec.data.cols = spec.data.vc;
  spec.data.rows = rounded_up(spec.data.vr, block_elements(spec.data.dtype));
  return spec;
}

// NZ tiles and tables: `width / C0` block columns of 32 bytes, 16 rows a block.
constexpr KernelSpec nz_spec(const Shape& shape, Coalesce coalesce) {
  const std::int32_t c0 = block_elements(shape.dtype);
  const std::int32_t blocks = shape.width / c0;
  KernelSpec spec = row_spec(shape);
  spec.coalesce = coalesce;
  if (coalesce == Coalesce::Elem) spec.index = tile(shape.count, shape.width, DType::I32);
  spec.target = Target::A2A3;
  spec.data = tile(rounded_up(shape.count, kNzBlockRows), shape.width, shape.dtype);
  spec.data.layout = TileLayout::Nz;
  spec.data.vr = shape.count;
  spec.table = {.shape = {1, blocks, shape.capacity / kNzBlockRows, kNzBlockRows, c0},
                .dtype = shape.dtype,
                .layout = TableLayout::Nz};
  return spec;
}

constexpr KernelSpec byte_offset_spec(const Shape& shape, Unit unit) {
  const auto per_offset = unit == Unit::Block ? block_elements(shape.dtype) : 1;
  const std::int32_t cols = 256;
  const std::int32_t rows = shape.count / cols;
  KernelSpec spec = spec_on(Target::A5, Op::TGatherB);
  spec.unit = unit;
  spec.data = tile(rows, cols, shape.dtype);
  spec.index = tile(rows, cols / per_offset, DType::U32);
  spec.store = tile(1, shape.capacity, shape.dtype);
  return spec;
}

constexpr KernelSpec mask_spec(MaskPattern mask, DType dtype, std::int32_t count) {
  const std::int32_t cols = 128;
  KernelSpec spec = spec_on(Target::A5, Op::TScatterMask);
  spec.mask = mask;
  spec.data = tile(count / cols, cols, dtype);
  spec.store = tile(count / cols, cols * shape_of(mask).factor, dtype);
  return spec;
}

// The index form writes a whole tile; indices are as wide as the target wants them.
constexpr KernelSpec tile_scatter_spec(DType dtype, std::int32_t rows, std::int32_t cols) {
  KernelSpec spec = spec_on(Target::A5, Op::TScatter);
  spec.data = tile(rows, cols, dtype);
  spec.index = tile(rows, cols, size_of(dtype) == 4 ? DType::I32 : DType::I16);
  spec.store = tile(rows, cols, dtype);
  return spec;
}

constexpr KernelSpec group_spec(std::int32_t ranks, std::int32_t rows, std::int32_t width) {
  KernelSpec spec = spec_on(Target::A5, Op::CommTScatter);
  spec.ranks = ranks;
  spec.data = tile(rows, width, DType::F32);
  spec.table = table(ranks * rows, width, DType::F32);
  spec.peer = table(rows, width, DType::F32);
  return spec;
}

}  // namespace pto::jit::bench
