// Rows of new embeddings written into their table; an index beyond it means the last row.
// Spec: a2a3:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]
// Spec: a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]

#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

template <typename T, int kRows, int kCols, int kTableRows>
AICORE void scatter_embeddings(__gm__ T* src, __gm__ int32_t* idx, __gm__ T* table) {
  using Rows = GlobalTensor<T, Shape<1, 1, 1, kRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
  using Indices = GlobalTensor<int32_t, Shape<1, 1, 1, 1, kRows>, Stride<1, 1, 1, kRows, 1>>;
  using Table = GlobalTensor<T, Shape<1, 1, 1, kTableRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
  Rows rowsGm(src);
  Indices indicesGm(idx);
  Table tableGm(table);
  Tile<TileType::Vec, T, kRows, kCols, BLayout::RowMajor, kRows, kCols> rows;
  Tile<TileType::Vec, int32_t, 1, kRows, BLayout::RowMajor, 1, kRows> indices;
  TASSIGN(rows, 0x0000);
  TASSIGN(indices, 0x1000);

  TLOAD(rows, rowsGm);
  TLOAD(indices, indicesGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp>(tableGm, rows, indices);

  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

extern "C" __global__ AICORE void embedding_scatter(__gm__ float* src, __gm__ int32_t* idx,
                                                    __gm__ float* table) {
  scatter_embeddings<float, 8, 32, 64>(src, idx, table);
}
