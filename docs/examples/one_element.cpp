// One element written to one place: the smallest tile there is, in storage of a whole block.
// Spec: a2a3:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]
// Spec: a5:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]

#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

extern "C" __global__ AICORE void one_element(__gm__ float* src, __gm__ int32_t* idx,
                                              __gm__ float* table) {
  constexpr int kSlots = 32;
  GlobalTensor<float, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 8, 1>> valueGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 8, 1>> indexGm(idx);
  GlobalTensor<float, Shape<1, 1, 1, 1, kSlots>, Stride<1, 1, 1, kSlots, 1>> tableGm(table);
  Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 1> value;
  Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 1> index;
  TASSIGN(value, 0x0000);
  TASSIGN(index, 0x0080);

  TLOAD(value, valueGm);
  TLOAD(index, indexGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);

  MSCATTER<Coalesce::Elem>(tableGm, value, index);

  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}
