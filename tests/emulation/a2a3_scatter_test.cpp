// Whole A2/A3 kernels around MSCATTER run clean and are right, ND and NZ; parts of the frame that
// are left out are missed where the intrinsic does not see to them itself.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

inline AICORE void finish_scatter() {
#ifndef __PTO_AUTO__
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID0);
#endif
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
#ifndef __PTO_AUTO__
  pipe_barrier(PIPE_ALL);
#endif
}

// a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]
extern "C" __global__ AICORE void a2a3_scatter_rows(__gm__ float* table, __gm__ float* src,
                                                    __gm__ int32_t* idx) {
  Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, 9, 32> srcTile;
  Tile<TileType::Vec, int32_t, 1, 16, BLayout::RowMajor, 1, 9> idxTile;
  GlobalTensor<float, Shape<1, 1, 1, 64, 32>, Stride<1, 1, 1, 40, 1>> tableGm(table);
  GlobalTensor<float, Shape<1, 1, 1, 9, 32>, Stride<1, 1, 1, 32, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 9>, Stride<1, 1, 1, 9, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x800>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Undefined>(tableGm, srcTile, idxTile);
  finish_scatter();
}

// a2a3:mscatter.row.wrap.atomic_add src=bf16[8x16] idx=i32[1x8] table=bf16[5x16]
extern "C" __global__ AICORE void a2a3_add_rows(__gm__ bfloat16_t* table, __gm__ bfloat16_t* src,
                                                __gm__ int32_t* idx) {
  Tile<TileType::Vec, bfloat16_t, 8, 16> srcTile;
  Tile<TileType::Vec, int32_t, 1, 8> idxTile;
  GlobalTensor<bfloat16_t, Shape<1, 1, 1, 5, 16>, Stride<1, 1, 1, 16, 1>> tableGm(table);
  GlobalTensor<bfloat16_t, Shape<1, 1, 1, 8, 16>, Stride<1, 1, 1, 16, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x100>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Wrap>(tableGm, srcTile, idxTile);
  finish_scatter();
}

// a2a3:mscatter.elem.skip.atomic_add src=i8[3x32|3x17] idx=i32[3x32|3x17] table=i8[?x?]
extern "C" __global__ AICORE void a2a3_add_elements(__gm__ int8_t* table, __gm__ int8_t* src,
                                                    __gm__ int32_t* idx, int64_t table_rows,
                                                    int64_t table_cols) {
  using TableShape = Shape<1, 1, 1, -1, -1>;
  using TableStride = Stride<1, 1, 1, -1, 1>;
  Tile<TileType::Vec, int8_t, 3, 32, BLayout::RowMajor, 3, 17> srcTile;
  Tile<TileType::Vec, int32_t, 3, 32, BLayout::RowMajor, 3, 17> idxTile;
  GlobalTensor<int8_t, TableShape, TableStride> tableGm(table, TableShape(table_rows, table_cols),
                                                        TableStride(table_cols));
  GlobalTensor<int8_t, Shape<1, 1, 1, 3, 17>, Stride<1, 1, 1, 17, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 3, 17>, Stride<1, 1, 1, 17, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x60>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::Add, ScatterOOB::Skip>(tableGm, srcTile, idxTile);
  finish_scatter();
}

// a2a3:mscatter.row.clamp src=f16[32x32|20x32]:nz idx=i32[1x32|1x20] table=f16[1x2x3x16x16]:nz.
// NZ is loaded in whole blocks: a second view of the same storage has all rows valid.
extern "C" __global__ AICORE void a2a3_scatter_nz_rows(__gm__ half* table, __gm__ half* src,
                                                       __gm__ int32_t* idx) {
  using Loaded =
      Tile<TileType::Vec, half, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 512>;
  using Used = Tile<TileType::Vec, half, 32, 32, BLayout::ColMajor, 20, 32, SLayout::RowMajor, 512>;
  Loaded loadedTile;
  Used srcTile;
  Tile<TileType::Vec, int32_t, 1, 32, BLayout::RowMajor, 1, 20> idxTile;
  GlobalTensor<half, Shape<1, 2, 3, 16, 16>, Stride<1536, 768, 256, 16, 1>, Layout::NZ> tableGm(
      table);
  GlobalTensor<half, Shape<1, 2, 2, 16, 16>, Stride<1024, 512, 256, 16, 1>, Layout::NZ> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 20>, Stride<1, 1, 1, 20, 1>> idxGm(idx);
  TASSIGN<0x0>(loadedTile);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x800>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(loadedTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp>(tableGm, srcTile, idxTile);
  finish_scatter();
}

// a2a3:mscatter.elem src=f32[16x16]:nz idx=i32[16x16] table=f32[1x2x2x16x8]:nz
extern "C" __global__ AICORE void a2a3_scatter_nz_elements(__gm__ float* table, __gm__ float* src,
                                                           __gm__ int32_t* idx) {
  Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor, 512> srcTile;
  Tile<TileType::Vec, int32_t, 16, 16> idxTile;
  GlobalTensor<float, Shape<1, 2, 2, 16, 8>, Stride<512, 256, 128, 8, 1>, Layout::NZ> tableGm(
      table);
  GlobalTensor<float, Shape<1, 2, 1, 16, 8>, Stride<256, 128, 128, 8, 1>, Layout::NZ> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x400>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined>(tableGm, srcTile, idxTile);
  finish_scatter();
}

// The chunk loop of a2a3:mscatter.row src=i32[32x8] idx=i32[1x32] table=i32[8x8].
extern "C" __global__ AICORE void a2a3_scatter_chunks(__gm__ int32_t* table, __gm__ int32_t* src,
                                                      __gm__ int32_t* idx) {
  Tile<TileType::Vec, int32_t, 8, 8> srcTile;
  Tile<TileType::Vec, int32_t, 1, 8> idxTile;
  GlobalTensor<int32_t, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> tableGm(table);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x100>(idxTile);
  for (int64_t row = 0; row < 32; row += 8) {
    GlobalTensor<int32_t, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> srcGm(src + row * 8);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx + row);
    TLOAD(idxTile, idxGm);
    TLOAD(srcTile, srcGm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Undefined>(tableGm, srcTile,
                                                                          idxTile);
    pipe_barrier(PIPE_ALL);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  }
  finish_scatter();
}

namespace pto::emulation::testing {
namespace {

template <typename T, typename I, typename Kernel>
Reports run_scatter(std::vector<T>& table, std::vector<T>& src, std::vector<I>& idx,
                    Kernel kernel) {
  Machine machine(Device::A2A3);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  return machine.run([&] { kernel(table.data(), src.data(), idx.data()); });
}

TEST(A2A3Scatter, MovesRowsOfAPaddedTable) {
  std::vector<float> table(64 * 40, 0.0F);
  std::vector<float> src = counted<float>(9 * 32);
  std::vector<int32_t> idx = {5, 4, 5, 63, 0, 1, 2, 5, 62};
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, a2a3_scatter_rows)));
  std::vector<float> expected(64 * 40, 0.0F);
  for (std::size_t r = 0; r < 9; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      expected[static_cast<std::size_t>(idx[r]) * 40 + c] = src[r * 32 + c];
    }
  }
  EXPECT_EQ(table, expected);
}

TEST(A2A3Scatter, AddsRowsAndRoundsEverySum) {
  std::vector<bfloat16_t> table(5 * 16, bfloat16_t::of(256.0F));
  std::vector<bfloat16_t> src(8 * 16, bfloat16_t::of(1.0F));  // 256 + 1 rounds back to 256
  std::vector<int32_t> idx = {0, 5, 10, 15, 1, 1, 2, 4};
  for (std::size_t c = 0; c < 16; ++c) src[4 * 16 + c] = bfloat16_t::of(3.0F);
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, a2a3_add_rows)));
  EXPECT_EQ(table[0].value(), 256.0F);
  EXPECT_EQ(table[16].value(), 260.0F);
}

TEST(A2A3Scatter, AddsElementsThatWrap) {
  std::vector<int8_t> table(6 * 5, 100);
  std::vector<int8_t> src(3 * 17, 3);
  std::vector<int32_t> idx = random_below<int32_t>(3 * 17, 33);
  const auto kernel = [](int8_t* t, int8_t* s, int32_t* i) { a2a3_add_elements(t, s, i, 6, 5); };
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, kernel)));
  std::vector<int8_t> expected(6 * 5, 100);
  for (const int32_t slot : idx) {
    if (slot < 30) {
      int8_t& element = expected[static_cast<std::size_t>(slot)];
      element = static_cast<int8_t>(element + 3);
    }
  }
  EXPECT_EQ(table, expected);
}

TEST(A2A3Scatter, MovesNzRows) {
  std::vector<half> table(3 * 16 * 32);
  std::vector<half> src(32 * 32);
  for (std::size_t k = 0; k < src.size(); ++k) src[k].bits = static_cast<std::uint16_t>(k + 1);
  std::vector<int32_t> idx = random_below<int32_t>(20, 60);
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, a2a3_scatter_nz_rows)));
  std::vector<std::uint16_t> expected(table.size(), 0);
  for (std::size_t r = 0; r < 20; ++r) {
    const std::size_t slot = std::min<std::size_t>(static_cast<std::size_t>(idx[r]), 47);
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t j = 0; j < 16; ++j) {
        expected[b * 768 + slot / 16 * 256 + slot % 16 * 16 + j] =
            src[b * 32 * 16 + r * 16 + j].bits;
      }
    }
  }
  for (std::size_t k = 0; k < table.size(); ++k) ASSERT_EQ(table[k].bits, expected[k]) << k;
}

TEST(A2A3Scatter, WalksNzElementsByBlockColumn) {
  std::vector<float> table(512, 0.0F);
  std::vector<float> src = counted<float>(256);
  std::vector<int32_t> idx(256, 17);  // all collide: the last of the walk stays
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, a2a3_scatter_nz_elements)));
  // Slot 17 is row 1, column 1, in the first block of 16 rows by 8 columns.
  EXPECT_EQ(table[9], src[128 + 15 * 8 + 7]);
  EXPECT_EQ(std::count(table.begin(), table.end(), 0.0F), 511);
}

TEST(A2A3Scatter, MovesRowsInChunks) {
  std::vector<int32_t> table(64, 0);
  std::vector<int32_t> src = counted<int32_t>(32 * 8);
  std::vector<int32_t> idx = random_below<int32_t>(32, 8);
  ASSERT_TRUE(is_clean(run_scatter(table, src, idx, a2a3_scatter_chunks)));
  std::vector<int32_t> expected(64, 0);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 8; ++c) {
      expected[static_cast<std::size_t>(idx[r]) * 8 + c] = src[r * 8 + c];
    }
  }
  EXPECT_EQ(table, expected);
}

// Scalar stores stay in the cache, bursts do not.
template <Coalesce kCoalesce>
void scatter_without_flush(float* table, float* src, int32_t* idx) {
  using Index = Tile<TileType::Vec, int32_t, kCoalesce == Coalesce::Row ? 1 : 8, 8>;
  using IndexShape = Shape<1, 1, 1, kCoalesce == Coalesce::Row ? 1 : 8, 8>;
  Tile<TileType::Vec, float, 8, 8> src_tile;
  Index idx_tile;
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> table_gm(table);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> src_gm(src);
  GlobalTensor<int32_t, IndexShape, Stride<1, 1, 1, 8, 1>> idx_gm(idx);
  TASSIGN<0>(src_tile);
  TASSIGN<256>(idx_tile);
  TLOAD(idx_tile, idx_gm);
  TLOAD(src_tile, src_gm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<kCoalesce, ScatterAtomicOp::None, ScatterOOB::Clamp>(table_gm, src_tile, idx_tile);
}

TEST(A2A3Scatter, NeedsAFlushOnlyByElements) {
  std::vector<float> table(64, -1.0F);
  std::vector<float> src = counted<float>(64);
  std::vector<int32_t> idx = counted<int32_t>(64, 0);
  EXPECT_TRUE(is_clean(run_scatter(table, src, idx, scatter_without_flush<Coalesce::Row>)));
  EXPECT_EQ(table, src);
  table.assign(64, -1.0F);
  EXPECT_TRUE(reports_only(run_scatter(table, src, idx, scatter_without_flush<Coalesce::Elem>),
                           ReportKind::CacheNotFlushed));
  EXPECT_EQ(table, std::vector<float>(64, -1.0F));
}

}  // namespace
}  // namespace pto::emulation::testing
