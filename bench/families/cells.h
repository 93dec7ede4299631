// Every cell of every family.
#pragma once

#include "bench/families/shapes.h"

namespace pto::jit::bench {

inline constexpr std::array kGatherPolicies = {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Zero};
inline constexpr std::array kScatterPolicies = {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Skip};

constexpr std::array<Oob, 4> policies_of(Op op) {
  return op == Op::MGather ? kGatherPolicies : kScatterPolicies;
}

// Bytes that tile and table take in each home.
struct HomeSize {
  std::int32_t tile;
  std::int32_t table;
};

constexpr HomeSize size_of(Home home) {
  constexpr std::array<HomeSize, 5> kSizes = {{{12 << 10, 8 << 10},
                                               {256 << 10, 512 << 10},
                                               {256 << 10, 16 << 20},
                                               {64 << 10, 1 << 30},
                                               {64 << 10, 1 << 30}}};
  return kSizes[static_cast<std::size_t>(home)];
}

// As many rows as the home holds. Wrap divides only when the capacity is no power of two.
constexpr Shape in_home(Shape shape, Home home, std::int32_t most_indices = 256) {
  const auto size = static_cast<std::int32_t>(size_of(shape.dtype));
  const HomeSize room = size_of(home);
  const std::int32_t row = shape.width * size;
  shape.count = std::clamp(room.tile / std::max(row, 32), 1, most_indices);
  shape.capacity = std::max(room.table / row, 1);
  if (shape.oob == Oob::Wrap && shape.capacity > 2) shape.capacity -= shape.capacity / 4;
  return shape;
}

constexpr void add_rows(CellList& list) {
  for (const Home home : {Home::L1, Home::L2}) {
    for (const Op op : {Op::MGather, Op::MScatter}) {
      for (const Oob oob : policies_of(op)) {
        for (const std::int32_t width : {1, 2, 3, 4, 8, 16, 24, 32, 64, 128, 256, 1024, 4096}) {
          const Shape shape = in_home({.op = op, .oob = oob, .width = width}, home);
          list.add({.family = Family::Rows, .home = home, .spec = row_spec(shape)});
        }
      }
    }
  }
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const Oob oob : policies_of(op)) {
      if (oob == Oob::Undefined) continue;
      const Shape shape = in_home({.op = op, .oob = oob, .width = 8}, Home::L1);
      list.add({Family::Rows, Home::L1, Indices::Outside, row_spec(shape)});
    }
  }
}

constexpr void add_dram_rows(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const std::int32_t width : {16, 32, 128}) {
      const Shape shape = in_home({.op = op, .width = width}, Home::Dram);
      list.add({.family = Family::DramRows, .home = Home::Dram, .spec = row_spec(shape)});
    }
    const Home home = Home::DramOnSmallPages;
    const Shape shape = in_home({.op = op, .width = 16}, home);
    list.add({.family = Family::DramRows, .home = home, .spec = row_spec(shape)});
  }
  for (const std::int32_t width : {512, 128}) {  // 32 MB, which are more than the caches hold
    const Shape shape = {.count = (8 << 20) / width, .width = width, .capacity = (1 << 28) / width};
    list.add({Family::DramRows, Home::Dram, Indices::Runs, row_spec(shape)});
  }
}

constexpr void add_elems(CellList& list, Op op) {
  const Family family = op == Op::MGather ? Family::ElemGather : Family::ElemScatter;
  for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
    for (const Home home : {Home::L1, Home::L2}) {
      for (const Oob oob : policies_of(op)) {
        Shape shape = in_home({.op = op, .dtype = dtype, .oob = oob}, home);
        shape.count = home == Home::L1 ? 2048 : 8192;
        list.add({.family = family, .home = home, .spec = elem_spec(shape)});
        if (home == Home::L1 && oob != Oob::Undefined) {
          list.add({family, home, Indices::Outside, elem_spec(shape)});
        }
      }
    }
  }
}

// What becomes of indices out of range, by their share.
constexpr void add_outside(CellList& list) {
  for (const Indices share : {Indices::Outside5, Indices::Outside30, Indices::Outside90}) {
    for (const DType dtype : {DType::F32, DType::F16}) {
      for (const Oob oob : {Oob::Wrap, Oob::Zero, Oob::Skip}) {
        const Op op = oob == Oob::Skip ? Op::MScatter : Op::MGather;
        const Family family = oob == Oob::Skip ? Family::ElemScatter : Family::ElemGather;
        const Shape shape = {op, dtype, oob, 2048, 1, 3000, Atomic::None};
        list.add({family, Home::L1, share, elem_spec(shape)});
      }
      const Shape sums = {Op::MScatter, dtype, Oob::Skip, 2048, 1, 4096, Atomic::Add};
      list.add({Family::Adds, Home::L1, share, elem_spec(sums)});
    }
    const Shape rows = {Op::MScatter, DType::F32, Oob::Skip, 96, 32, 64, Atomic::Add};
    list.add({Family::Adds, Home::L1, share, row_spec(rows)});
    for (const Op op : {Op::MGather, Op::MScatter}) {
      const Oob oob = op == Op::MGather ? Oob::Zero : Oob::Skip;
      for (const std::int32_t width : {8, 16, 32, 128}) {
        const Shape shape = in_home({.op = op, .oob = oob, .width = width}, Home::L1);
        list.add({Family::Rows, Home::L1, share, row_spec(shape)});
      }
    }
  }
}

constexpr void add_tile_forms(CellList& list) {
  for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
    list.add({.family = Family::ElemScatter, .spec = tile_scatter_spec(dtype, 16, 128)});
    for (const Unit unit : {Unit::Element, Unit::Block}) {
      const Shape shape = {.dtype = dtype, .count = 2048, .capacity = 4096};
      list.add({.family = Family::ByteOffsets, .spec = byte_offset_spec(shape, unit)});
    }
    for (const MaskPattern mask : {MaskPattern::P0101, MaskPattern::P1010, MaskPattern::P0010}) {
      list.add({.family = Family::Masks, .spec = mask_spec(mask, dtype, 2048)});
    }
  }
  list.add({.family = Family::Masks, .spec = mask_spec(MaskPattern::P1111, DType::F32, 2048)});
}

constexpr void add_small_tables(CellList& list) {
  for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
    const auto capacity = static_cast<std::int32_t>(128 / size_of(dtype));
    for (const Oob oob : kGatherPolicies) {
      const Shape shape = {.dtype = dtype, .oob = oob, .count = 2048, .capacity = capacity};
      list.add({.family = Family::SmallTables, .spec = elem_spec(shape)});
    }
  }
}

// Few conflicts: twice as many slots as indices. Many: sixteen slots.
constexpr void add_adds(CellList& list) {
  for (const DType dtype : {DType::I32, DType::F32, DType::F16, DType::BF16}) {
    for (const std::int32_t capacity : {4096, 16}) {
      for (const Oob oob : {Oob::Undefined, Oob::Skip}) {
        const Shape shape = {Op::MScatter, dtype, oob, 2048, 1, capacity, Atomic::Add};
        list.add({.family = Family::Adds, .spec = elem_spec(shape)});
      }
    }
    for (const std::int32_t width : {16, 64, 256}) {
      const Shape shape = {Op::MScatter, dtype, Oob::Undefined, 16, width, 16, Atomic::Add};
      list.add({.family = Family::Adds, .spec = row_spec(shape)});
    }
  }
  for (const Atomic atomic : {Atomic::Max, Atomic::Min}) {
    const Shape shape = {Op::MScatter, DType::F32, Oob::Undefined, 2048, 1, 4096, atomic};
    list.add({.family = Family::Adds, .spec = elem_spec(shape)});
  }
}

// Patterns of a line or two a call.
constexpr void add_short_calls(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const DType dtype : {DType::F32, DType::F16}) {
      for (const std::int32_t count : {8, 32}) {
        const Shape shape = {.op = op, .dtype = dtype, .count = count, .capacity = 1024};
        list.add({.family = Family::ShortCalls, .spec = elem_spec(shape)});
      }
    }
  }
}

// Ten thousand rows meet few slots: most of them are overwritten again.
constexpr void add_last_wins(CellList& list) {
  for (const std::int32_t capacity : {64, 1000}) {
    const Shape shape = {.op = Op::MScatter, .count = 10000, .width = 128, .capacity = capacity};
    list.add({.family = Family::LastWins, .home = Home::L3, .spec = row_spec(shape)});
  }
}

// Runtime extents are held against the same kernels with static ones; see contestants.cpp.
constexpr void add_extents(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const std::int32_t width : {1, 2, 3, 4, 8, 16, 24, 32, 64, 128, 256, 1024, 4096}) {
      const Shape shape = in_home({.op = op, .oob = Oob::Clamp, .width = width}, Home::L1);
      list.add({.family = Family::Extents, .spec = row_spec(shape)});
    }
    for (const std::int32_t width : {1, 3, 5, 7, 12, 20, 33, 48, 65, 100, 127, 200}) {
      const Shape shape = {op, DType::I8, Oob::Clamp, 64, width, 64, Atomic::None};
      list.add({.family = Family::Extents, .spec = row_spec(shape)});
    }
    Shape shape = in_home({.op = op, .oob = Oob::Clamp}, Home::L1);
    shape.count = 2048;
    list.add({.family = Family::Extents, .spec = elem_spec(shape)});
    for (const DType dtype : {DType::F32, DType::I8}) {
      const Shape blocks = {op, dtype, Oob::Clamp, 64, 32, 64, Atomic::None};
      list.add({.family = Family::Extents, .spec = nz_spec(blocks, Coalesce::Row)});
      list.add({.family = Family::Extents, .spec = nz_spec(blocks, Coalesce::Elem)});
    }
  }
  for (const std::int32_t width : {16, 40, 64, 256}) {
    const Shape shape = {Op::MScatter, DType::F32, Oob::Undefined, 16, width, 16, Atomic::Add};
    list.add({.family = Family::Extents, .spec = row_spec(shape)});
  }
  for (const MaskPattern mask : {MaskPattern::P0101, MaskPattern::P0010}) {
    for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
      list.add({.family = Family::Extents, .spec = mask_spec(mask, dtype, 2048)});
    }
  }
}

constexpr void add_layouts(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (const DType dtype : {DType::F32, DType::F16, DType::I8}) {
      const Shape shape = {op, dtype, Oob::Clamp, 64, 32, 64, Atomic::None};
      list.add({.family = Family::Layouts, .spec = row_spec(shape)});
      list.add({.family = Family::Layouts, .spec = column_major(row_spec(shape))});
      list.add({.family = Family::Layouts, .spec = nz_spec(shape, Coalesce::Row)});
      list.add({.family = Family::Layouts, .spec = nz_spec(shape, Coalesce::Elem)});
      Shape elements = shape;
      elements.count = 2048;
      elements.capacity = 4096;
      KernelSpec mixed = elem_spec(elements);
      mixed.index.layout = TileLayout::ColMajor;
      list.add({.family = Family::Layouts, .spec = mixed});
    }
  }
  list.add({.family = Family::Groups, .spec = group_spec(4, 16, 32)});
  list.add({.family = Family::Groups, .spec = group_spec(8, 8, 64)});
  list.add({.family = Family::Groups, .home = Home::L2, .spec = group_spec(4, 64, 256)});
}

// What users run, by name in the order of the list.
constexpr void add_workloads(CellList& list) {
  const auto add = [&](Indices indices, Home home, const Shape& shape) {
    list.add({Family::Workloads, home, indices, row_spec(shape)});
  };
  constexpr Op kGather = Op::MGather;
  constexpr Op kScatter = Op::MScatter;
  constexpr Atomic kMove = Atomic::None;
  // Token embedding in chunks of 256; KV-cache writes of decode and of prefill.
  add(Indices::Zipf, Home::Dram, {kGather, DType::BF16, Oob::Clamp, 64, 256, 152064, kMove});
  add(Indices::Distinct, Home::L3, {kScatter, DType::BF16, Oob::Skip, 8, 512, 16384, kMove});
  add(Indices::Runs, Home::L3, {kScatter, DType::BF16, Oob::Skip, 128, 512, 16384, kMove});
  add(Indices::Runs, Home::L2, {kScatter, DType::I8, Oob::Skip, 32, 128, 8192, kMove});
  // Sliding window with zero rows; sparse top-k with a padding index; hash routing.
  add(Indices::Padded, Home::L3, {kGather, DType::BF16, Oob::Zero, 128, 512, 16384, kMove});
  add(Indices::Padded, Home::L3, {kGather, DType::F16, Oob::Clamp, 128, 576, 32768, kMove});
  add(Indices::Random, Home::L3, {kGather, DType::I32, Oob::Clamp, 256, 6, 129280, kMove});
  // MoE combine; histograms; the RoPE permutation.
  add(Indices::Random, Home::L3,
      {kScatter, DType::BF16, Oob::Undefined, 48, 4096, 512, Atomic::Add});
  for (const std::int32_t slots : {16, 10000000}) {
    const Home home = slots == 16 ? Home::L1 : Home::L3;
    const Shape shape = {kScatter, DType::I32, Oob::Skip, 4096, 1, slots, Atomic::Add};
    list.add({.family = Family::Workloads, .home = home, .spec = elem_spec(shape)});
  }
  // Strides and pairs of Spatter's kind, MoE dispatch, and a decode write into a large cache.
  Shape strided = {kGather, DType::F32, Oob::Undefined, 8192, 1, 131072, kMove};
  list.add({Family::Workloads, Home::L1, Indices::Strided, elem_spec(strided)});
  add(Indices::Random, Home::Dram, {kGather, DType::F32, Oob::Undefined, 256, 2, 1 << 27, kMove});
  add(Indices::Runs, Home::L3, {kScatter, DType::I8, Oob::Skip, 48, 4096, 512, kMove});
  add(Indices::Distinct, Home::Dram, {kScatter, DType::BF16, Oob::Skip, 8, 128, 524288, kMove});
  const Shape permute = {kGather, DType::F32, Oob::Undefined, 4096, 1, 4096, kMove};
  list.add({Family::Workloads, Home::L1, Indices::Neighbours, elem_spec(permute)});
}

// Rows of a line in tables of 8 KB to 1 GB: bandwidth against size.
constexpr void add_sizes(CellList& list) {
  for (const Op op : {Op::MGather, Op::MScatter}) {
    for (std::int32_t rows = 128; rows <= (1 << 24); rows *= rows < (1 << 20) ? 2 : 4) {
      const Home home = rows <= (1 << 14) ? Home::L2 : rows <= (1 << 19) ? Home::L3 : Home::Dram;
      const Shape shape = {.op = op, .count = 256, .width = 16, .capacity = rows};
      list.add({.family = Family::Sizes, .home = home, .spec = row_spec(shape)});
    }
  }
}

constexpr CellList all_cells() {
  CellList list;
  add_rows(list);
  add_dram_rows(list);
  add_elems(list, Op::MGather);
  add_elems(list, Op::MScatter);
  add_outside(list);
  add_tile_forms(list);
  add_small_tables(list);
  add_adds(list);
  add_short_calls(list);
  add_last_wins(list);
  add_extents(list);
  add_layouts(list);
  add_workloads(list);
  add_sizes(list);
  return list;
}

inline constexpr CellList kCells = all_cells();

}  // namespace pto::jit::bench
