// Rows written into a large table; of several for one slot the last stays. The indices stand in a
// column.
// Spec: a5:mscatter.row.clamp src=f16[8x64] idx=i32[8x1]:cm table=f16[65536x64]

#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

extern "C" __global__ AICORE void last_write_wins(__gm__ half* src, __gm__ int32_t* idx,
                                                  __gm__ half* table) {
  constexpr int kRows = 8;
  constexpr int kCols = 64;
  constexpr int kTableRows = 65536;
  using Packed = Stride<1, 1, 1, kCols, 1>;
  using Column = Stride<1, 1, 1, 1, kRows>;
  GlobalTensor<half, Shape<1, 1, 1, kRows, kCols>, Packed> rowsGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, kRows, 1>, Column, Layout::DN> indicesGm(idx);
  GlobalTensor<half, Shape<1, 1, 1, kTableRows, kCols>, Packed> tableGm(table);
  Tile<TileType::Vec, half, kRows, kCols, BLayout::RowMajor, kRows, kCols> rows;
  Tile<TileType::Vec, int32_t, kRows, 1, BLayout::ColMajor, kRows, 1> indices;
  TASSIGN(rows, 0x0000);
  TASSIGN(indices, 0x1000);

  TLOAD(rows, rowsGm);
  TLOAD(indices, indicesGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp, ScatterConflict::Last>(
      tableGm, rows, indices);

  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}
