// The kernels whose instructions are counted beside those of C++: specs as constants, for a
// compiler to make functions of, by the family of the benchmarks they belong to.
#pragma once

#include "bench/families/shapes.h"

namespace pto::jit::tests {

using bench::Cell;
using bench::CellList;
using bench::Family;
using bench::Shape;

inline constexpr std::int32_t kCountedElements = 512;
// Of what a cell reaches of tile and table, and of its indices.
inline constexpr std::size_t kCountedBytes = std::size_t{1} << 16;
inline constexpr std::size_t kCountedIndexBytes = 4096;

constexpr Shape counted(Op op, DType dtype, Oob oob) {
  return {.op = op, .dtype = dtype, .oob = oob, .count = kCountedElements, .capacity = 1000};
}

constexpr void add_counted_rows(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const std::int32_t width : {2, 4, 8, 16, 24, 128, 512}) {
      const Shape shape = {
          .op = op, .count = width > 128 ? 16 : 64, .width = width, .capacity = 100};
      list.add({.family = Family::Rows, .spec = row_spec(shape)});
    }
    const Oob out = op == Op::MGather ? Oob::Zero : Oob::Skip;
    for (const Oob oob : {Oob::Clamp, Oob::Wrap, out}) {
      const Shape shape = {.op = op, .oob = oob, .count = 64, .width = 8, .capacity = 100};
      list.add({.family = Family::Rows, .spec = row_spec(shape)});
    }
    const Shape far = {.op = op, .count = 64, .width = 128, .capacity = 1 << 13};
    list.add({.family = Family::DramRows, .spec = row_spec(far)});
  }
}

constexpr void add_counted_elements(CellList& list) {
  for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
    for (const Oob oob : {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Zero}) {
      list.add({.family = Family::ElemGather, .spec = elem_spec(counted(Op::MGather, dtype, oob))});
      Shape small = counted(Op::MGather, dtype, oob);
      small.capacity = static_cast<std::int32_t>(64 / size_of(dtype));
      list.add({.family = Family::SmallTables, .spec = elem_spec(small)});
    }
    for (const Oob oob : {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Skip}) {
      list.add(
          {.family = Family::ElemScatter, .spec = elem_spec(counted(Op::MScatter, dtype, oob))});
    }
    list.add({.family = Family::ElemScatter, .spec = bench::tile_scatter_spec(dtype, 4, 128)});
    for (const Unit unit : {Unit::Element, Unit::Block}) {
      const std::int32_t count = kCountedElements * (unit == Unit::Block ? 8 : 1);
      const Shape shape = {.dtype = dtype, .count = count, .capacity = 4096};
      list.add({.family = Family::ByteOffsets, .spec = bench::byte_offset_spec(shape, unit)});
    }
  }
}

constexpr void add_counted_sums(CellList& list) {
  for (const DType dtype : {DType::I32, DType::F32, DType::F16, DType::BF16}) {
    for (const Oob oob : {Oob::Undefined, Oob::Skip}) {
      Shape shape = counted(Op::MScatter, dtype, oob);
      shape.atomic = Atomic::Add;
      list.add({.family = Family::Adds, .spec = elem_spec(shape)});
    }
    const Shape rows = {Op::MScatter, dtype, Oob::Undefined, 16, 64, 16, Atomic::Add};
    list.add({.family = Family::Adds, .spec = row_spec(rows)});
  }
}

constexpr void add_counted_layouts(CellList& list) {
  for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
    for (const MaskPattern mask :
         {MaskPattern::P0101, MaskPattern::P1010, MaskPattern::P0001, MaskPattern::P1000}) {
      list.add({.family = Family::Masks, .spec = bench::mask_spec(mask, dtype, kCountedElements)});
    }
    for (const Op op : {Op::MGather, Op::MScatter}) {
      const Shape shape = {op, dtype, Oob::Clamp, 32, 32, 64, Atomic::None};
      list.add({.family = Family::Layouts, .spec = bench::column_major(row_spec(shape))});
      list.add({.family = Family::Layouts, .spec = nz_spec(shape, Coalesce::Row)});
      list.add({.family = Family::Layouts, .spec = nz_spec(shape, Coalesce::Elem)});
    }
  }
  list.add({.family = Family::Groups, .spec = bench::group_spec(4, 16, 32)});
}

constexpr CellList counted_cells() {
  CellList list;
  add_counted_rows(list);
  add_counted_elements(list);
  add_counted_sums(list);
  add_counted_layouts(list);
  return list;
}

inline constexpr CellList kCountedCells = counted_cells();

}  // namespace pto::jit::tests
