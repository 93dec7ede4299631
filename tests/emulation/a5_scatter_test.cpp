// Whole A5 kernels around MSCATTER and MGATHER run clean and are right; each part that the frame
// needs is missed when it is left out.
#define REGISTER_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

// a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]
extern "C" __global__ AICORE void a5_scatter_rows(__gm__ float* table, __gm__ float* src,
                                                  __gm__ int32_t* idx) {
  using SrcTile = Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, 8, 32>;
  using IdxTile = Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 8>;
  GlobalTensor<float, Shape<1, 1, 1, 64, 32>, Stride<1, 1, 1, 32, 1>> tableGm(table);
  GlobalTensor<float, Shape<1, 1, 1, 8, 32>, Stride<1, 1, 1, 32, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx);

  SrcTile srcTile;
  IdxTile idxTile;
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x400>(idxTile);

  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
#ifndef __PTO_AUTO__
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif

  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp, ScatterConflict::Last>(
      tableGm, srcTile, idxTile);

#ifndef __PTO_AUTO__
  pipe_barrier(PIPE_ALL);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

// a5:mscatter.elem.skip.atomic_max src=f32[8x32|?x?]:cm idx=u32[8x32|?x?] table=f32[?]
extern "C" __global__ AICORE void a5_scatter_max(__gm__ float* table, __gm__ float* src,
                                                 __gm__ uint32_t* idx, int64_t rows, int64_t cols,
                                                 int64_t size) {
  using SrcTile = Tile<TileType::Vec, float, 8, 32, BLayout::ColMajor, -1, -1>;
  using IdxTile = Tile<TileType::Vec, uint32_t, 8, 32, BLayout::RowMajor, -1, -1>;
  using TableShape = Shape<1, 1, 1, 1, -1>;
  GlobalTensor<float, TableShape, Stride<1, 1, 1, 1, 1>> tableGm(table, TableShape(size));
  using TileShape = Shape<1, 1, 1, -1, -1>;
  GlobalTensor<float, TileShape, Stride<1, 1, 1, 1, 8>, Layout::DN> srcGm(src,
                                                                          TileShape(rows, cols));
  GlobalTensor<uint32_t, TileShape, Stride<1, 1, 1, 32, 1>> idxGm(idx, TileShape(rows, cols));

  SrcTile srcTile(rows, cols);
  IdxTile idxTile(rows, cols);
  TASSIGN(srcTile, 0x0);
  TASSIGN(idxTile, 0x400);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::Max, ScatterOOB::Skip, ScatterConflict::Default>(
      tableGm, srcTile, idxTile);
  pipe_barrier(PIPE_ALL);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

// a5:mgather.elem.zero dst=i16[4x16|3x9] idx=i32[4x16|3x9] table=i16[40]
extern "C" __global__ AICORE void a5_gather(__gm__ int16_t* dst, __gm__ int16_t* table,
                                            __gm__ int32_t* idx) {
  using DstTile = Tile<TileType::Vec, int16_t, 4, 16, BLayout::RowMajor, 3, 9>;
  using IdxTile = Tile<TileType::Vec, int32_t, 4, 16, BLayout::RowMajor, 3, 9>;
  GlobalTensor<int16_t, Shape<1, 1, 1, 1, 40>, Stride<1, 1, 1, 40, 1>> tableGm(table);
  GlobalTensor<int16_t, Shape<1, 1, 1, 3, 9>, Stride<1, 1, 1, 16, 1>> dstGm(dst);
  GlobalTensor<int32_t, Shape<1, 1, 1, 3, 9>, Stride<1, 1, 1, 16, 1>> idxGm(idx);
  DstTile dstTile;
  IdxTile idxTile;
  TASSIGN(dstTile, 0x0);
  TASSIGN(idxTile, 0x80);
  TLOAD(idxTile, idxGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MGATHER<Coalesce::Elem, GatherOOB::Zero>(dstTile, tableGm, idxTile);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(dstGm, dstTile);
}

// The chunk loop of a5:mscatter.elem.atomic_add src=i32[64x8] idx=i32[64x8] table=i32[16], with
// tiles of 16 rows.
extern "C" __global__ AICORE void a5_scatter_chunks(__gm__ int32_t* table, __gm__ int32_t* src,
                                                    __gm__ int32_t* idx) {
  using ChunkTile = Tile<TileType::Vec, int32_t, 16, 8>;
  using ChunkGm = GlobalTensor<int32_t, Shape<1, 1, 1, 16, 8>, Stride<1, 1, 1, 8, 1>>;
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 16>, Stride<1, 1, 1, 16, 1>> tableGm(table);
  ChunkTile srcTile;
  ChunkTile idxTile;
  TASSIGN(srcTile, 0x0);
  TASSIGN(idxTile, 0x200);
  for (int64_t row = 0; row < 64; row += 16) {
    ChunkGm srcGm(src + row * 8);
    ChunkGm idxGm(idx + row * 8);
    TLOAD(idxTile, idxGm);
    TLOAD(srcTile, srcGm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER<Coalesce::Elem, ScatterAtomicOp::Add, ScatterOOB::Undefined, ScatterConflict::Default>(
        tableGm, srcTile, idxTile);
    pipe_barrier(PIPE_ALL);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  }
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

// a5:mscatter.elem src=f16[1x16|1x1] idx=i32[1x8|1x1] table=f16[16], with wait events instead of
// flags for the loads.
extern "C" __global__ AICORE void a5_scatter_one(__gm__ half* table, __gm__ half* src,
                                                 __gm__ int32_t* idx) {
  Tile<TileType::Vec, half, 1, 16, BLayout::RowMajor, 1, 1> srcTile;
  Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 1> idxTile;
  GlobalTensor<half, Shape<1, 1, 1, 1, 16>, Stride<1, 1, 1, 16, 1>> tableGm(table);
  GlobalTensor<half, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x20>(idxTile);
  Event<Op::TLOAD, Op::MSCATTER> srcLoaded = TLOAD(srcTile, srcGm);
  Event<Op::TLOAD, Op::MSCATTER> idxLoaded = TLOAD(idxTile, idxGm);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined, ScatterConflict::Last>(
      tableGm, srcTile, idxTile, srcLoaded, idxLoaded);
  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

namespace pto::emulation::testing {
namespace {

enum class Part { Nothing, LoadFlags, Barrier, Clean, Drain };

template <Part kWithout>
void scatter_without(float* table, float* src, int32_t* idx) {
  Tile<TileType::Vec, float, 8, 8> src_tile;
  Tile<TileType::Vec, int32_t, 1, 8> idx_tile;
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> table_gm(table);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> src_gm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idx_gm(idx);
  TASSIGN<0>(src_tile);
  TASSIGN<256>(idx_tile);
  TLOAD(idx_tile, idx_gm);
  TLOAD(src_tile, src_gm);
  if constexpr (kWithout != Part::LoadFlags) {
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  }
  MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp>(table_gm, src_tile, idx_tile);
  if constexpr (kWithout != Part::Barrier) pipe_barrier(PIPE_ALL);
  if constexpr (kWithout != Part::Clean) dcci(static_cast<void*>(nullptr), ENTIRE_DATA_CACHE);
  if constexpr (kWithout != Part::Drain) dsb(DSB_DDR);
}

struct ScatterRun {
  Reports reports;
  std::vector<float> table;
};

template <Part kWithout>
ScatterRun run_without() {
  ScatterRun run{{}, std::vector<float>(64, -1.0F)};
  std::vector<float> src = counted<float>(64);
  std::vector<int32_t> idx = {7, 6, 5, 4, 3, 2, 1, 0};
  Machine machine(Device::A5);
  add(machine, "table", run.table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  run.reports =
      machine.run([&] { scatter_without<kWithout>(run.table.data(), src.data(), idx.data()); });
  return run;
}

TEST(A5Scatter, MovesRowsAndClamps) {
  std::vector<float> table(64 * 32, 0.0F);
  const std::vector<float> before = counted<float>(8 * 32);
  std::vector<float> src = before;
  std::vector<int32_t> idx = {3, 63, 3, -1, 0, 100, 9, 8};
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(
      is_clean(machine.run([&] { a5_scatter_rows(table.data(), src.data(), idx.data()); })));
  std::vector<float> expected(64 * 32, 0.0F);
  for (std::size_t r = 0; r < 8; ++r) {
    const std::size_t slot = std::min<std::size_t>(static_cast<uint32_t>(idx[r]), 63);
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(r * 32), 32,
                expected.begin() + static_cast<std::ptrdiff_t>(slot * 32));
  }
  EXPECT_EQ(table, expected);
}

TEST(A5Scatter, TakesTheMaximumOfRuntimeColumnMajorTiles) {
  std::vector<float> table(20, 50.0F);
  std::vector<float> src = counted<float>(8 * 32);  // column-major
  std::vector<uint32_t> idx = random_below<uint32_t>(8 * 32, 24);
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(
      machine.run([&] { a5_scatter_max(table.data(), src.data(), idx.data(), 5, 29, 20); })));
  std::vector<float> expected(20, 50.0F);
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t c = 0; c < 29; ++c) {
      const std::uint32_t slot = idx[r * 32 + c];
      if (slot < 20) expected[slot] = std::max(expected[slot], src[c * 8 + r]);
    }
  }
  EXPECT_EQ(table, expected);
}

TEST(A5Gather, LeavesTheRestOfTheTileAlone) {
  std::vector<int16_t> table = counted<int16_t>(40);
  std::vector<int16_t> dst(4 * 16, -7);
  std::vector<int32_t> idx = random_below<int32_t>(4 * 16, 50);
  Machine machine(Device::A5);
  add(machine, "table", static_cast<const std::vector<int16_t>&>(table));
  add(machine, "dst", dst);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { a5_gather(dst.data(), table.data(), idx.data()); })));
  for (std::size_t k = 0; k < dst.size(); ++k) {
    const bool is_valid = k / 16 < 3 && k % 16 < 9;
    const auto slot = static_cast<std::size_t>(idx[k]);
    const int expected = is_valid ? (slot < 40 ? table[slot] : 0) : -7;
    EXPECT_EQ(dst[k], expected) << k;
  }
}

TEST(A5Scatter, AddsInChunks) {
  std::vector<int32_t> table(16, 1000);
  std::vector<int32_t> src = counted<int32_t>(64 * 8);
  std::vector<int32_t> idx = random_below<int32_t>(64 * 8, 16);
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(
      is_clean(machine.run([&] { a5_scatter_chunks(table.data(), src.data(), idx.data()); })));
  std::vector<int32_t> expected(16, 1000);
  for (std::size_t k = 0; k < src.size(); ++k) expected[static_cast<std::size_t>(idx[k])] += src[k];
  EXPECT_EQ(table, expected);
}

TEST(A5Scatter, MovesOneElementOnTheScalarPipe) {
  std::vector<half> table(16);
  std::vector<half> src = {half(2.5F)};
  std::vector<int32_t> idx = {11};
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { a5_scatter_one(table.data(), src.data(), idx.data()); })));
  for (std::size_t k = 0; k < 16; ++k) {
    EXPECT_EQ(static_cast<float>(table[k]), k == 11 ? 2.5F : 0.0F);
  }
}

TEST(A5Scatter, IsCleanWithAllItsParts) {
  const ScatterRun run = run_without<Part::Nothing>();
  EXPECT_TRUE(is_clean(run.reports));
  EXPECT_EQ(run.table[0], 57.0F);
}

TEST(A5Scatter, ReadsGarbageWithoutTheLoadFlags) {
  const ScatterRun run = run_without<Part::LoadFlags>();
  EXPECT_TRUE(reports_only(run.reports, ReportKind::Race));
  EXPECT_TRUE(mentions(run.reports, "TLOAD (operation 1 on MTE2) writes UB 0x100, MSCATTER"));
  EXPECT_TRUE(mentions(run.reports, "no flag or barrier orders MTE2 before V"));
  EXPECT_NE(run.table[0], 57.0F);
}

TEST(A5Scatter, IsNotFlushedBeforeItHasFinished) {
  const ScatterRun run = run_without<Part::Barrier>();
  EXPECT_TRUE(mentions(run.reports, "dcci (operation 4 on S) may come before MSCATTER"));
  EXPECT_TRUE(mentions(run.reports, "still in the data cache"));
  EXPECT_EQ(run.table, std::vector<float>(64, -1.0F));
}

TEST(A5Scatter, StaysInTheCacheWithoutDcci) {
  const ScatterRun run = run_without<Part::Clean>();
  EXPECT_TRUE(reports_only(run.reports, ReportKind::CacheNotFlushed));
  EXPECT_TRUE(mentions(run.reports, "wrote 'table' + 0x0"));
  EXPECT_TRUE(mentions(run.reports, "dcci and dsb missing"));
  EXPECT_EQ(run.table, std::vector<float>(64, -1.0F));
}

TEST(A5Scatter, StaysInTheCacheWithoutDsb) {
  const ScatterRun run = run_without<Part::Drain>();
  EXPECT_TRUE(reports_only(run.reports, ReportKind::CacheNotFlushed));
  EXPECT_TRUE(mentions(run.reports, ": dsb missing"));
  EXPECT_EQ(run.table, std::vector<float>(64, -1.0F));
}

}  // namespace
}  // namespace pto::emulation::testing
