// Single elements of a vector replaced; those whose index lies beyond it are left out.
// Spec: a2a3:mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]
// Spec: a5:mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]

#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

extern "C" __global__ AICORE void sparse_update(__gm__ float* src, __gm__ int32_t* idx,
                                                __gm__ float* table) {
  constexpr int kRows = 8;
  constexpr int kCols = 32;
  constexpr int kSlots = 256;
  using Packed = Stride<1, 1, 1, kCols, 1>;
  GlobalTensor<float, Shape<1, 1, 1, kRows, kCols>, Packed> valuesGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, kRows, kCols>, Packed> indicesGm(idx);
  GlobalTensor<float, Shape<1, 1, 1, 1, kSlots>, Stride<1, 1, 1, kSlots, 1>> tableGm(table);
  Tile<TileType::Vec, float, kRows, kCols, BLayout::RowMajor, kRows, kCols> values;
  Tile<TileType::Vec, int32_t, kRows, kCols, BLayout::RowMajor, kRows, kCols> indices;
  TASSIGN(values, 0x0000);
  TASSIGN(indices, 0x0800);

  TLOAD(values, valuesGm);
  TLOAD(indices, indicesGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

  MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Skip>(tableGm, values, indices);

  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}
