// Whole A2/A3 kernels around MGATHER, TSCATTER and TGATHERB run clean and are right; flags that
// only the kernel can give are missed when they are left out.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

// a2a3:mgather.row.zero dst=f16[32x32]:nz idx=i32[1x32] table=f16[1x2x2x16x16]:nz
extern "C" __global__ AICORE void a2a3_gather_nz(__gm__ half* dst, __gm__ half* table,
                                                 __gm__ int32_t* idx) {
  Tile<TileType::Vec, half, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 512> dstTile;
  Tile<TileType::Vec, int32_t, 1, 32> idxTile;
  using MatrixGm =
      GlobalTensor<half, Shape<1, 2, 2, 16, 16>, Stride<1024, 512, 256, 16, 1>, Layout::NZ>;
  MatrixGm tableGm(table);
  MatrixGm dstGm(dst);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 32>, Stride<1, 1, 1, 32, 1>> idxGm(idx);
  TASSIGN<0x0>(dstTile);
  TASSIGN<0x800>(idxTile);
  TLOAD(idxTile, idxGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  MGATHER<Coalesce::Row, GatherOOB::Zero>(dstTile, tableGm, idxTile);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(dstGm, dstTile);
}

// a2a3:tgatherb.block src=i16[4x32] offset=u32[3xPITCH|3xBLOCKS] dst=i16[3x(16*BLOCKS)]
template <int kBlocks, int kPitch>
void a2a3_gather_blocks(int16_t* dst, int16_t* src, uint32_t* offset) {
  Tile<TileType::Vec, int16_t, 4, 32> srcTile;
  Tile<TileType::Vec, int16_t, 3, 16 * kBlocks> dstTile;
  Tile<TileType::Vec, uint32_t, 3, kPitch, BLayout::RowMajor, 3, kBlocks> offsetTile;
  GlobalTensor<int16_t, Shape<1, 1, 1, 4, 32>, Stride<1, 1, 1, 32, 1>> srcGm(src);
  GlobalTensor<int16_t, Shape<1, 1, 1, 3, 16 * kBlocks>, Stride<1, 1, 1, 16 * kBlocks, 1>> dstGm(
      dst);
  GlobalTensor<uint32_t, Shape<1, 1, 1, 3, kBlocks>, Stride<1, 1, 1, kBlocks, 1>> offsetGm(offset);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x100>(offsetTile);
  TASSIGN<0x1000>(dstTile);
  TLOAD(srcTile, srcGm);
  TLOAD(offsetTile, offsetGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TGATHERB(dstTile, srcTile, offsetTile);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(dstGm, dstTile);
}

namespace pto::emulation::testing {
namespace {

enum class Part { Nothing, LoadFlags, StoreFlags };

// a2a3:mgather.row.clamp, whose bursts rely on the flags after the loads.
template <Part kWithout>
void gather_rows(float* dst, float* table, int32_t* idx) {
  Tile<TileType::Vec, float, 8, 8> dst_tile;
  Tile<TileType::Vec, int32_t, 1, 8> idx_tile;
  GlobalTensor<float, Shape<1, 1, 1, 16, 8>, Stride<1, 1, 1, 8, 1>> table_gm(table);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> dst_gm(dst);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idx_gm(idx);
  TASSIGN<0>(dst_tile);
  TASSIGN<256>(idx_tile);
  TLOAD(idx_tile, idx_gm);
  if constexpr (kWithout != Part::LoadFlags) {
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  }
  MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst_tile, table_gm, idx_tile);
  if constexpr (kWithout != Part::StoreFlags) {
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  }
  TSTORE(dst_gm, dst_tile);
}

template <Part kWithout>
Reports run_gather(std::vector<float>& dst) {
  std::vector<float> table = counted<float>(16 * 8);
  std::vector<int32_t> idx = {15, 99, 3, 0, -1, 2, 2, 7};
  Machine machine(Device::A2A3);
  add(machine, "dst", dst);
  add(machine, "table", table);
  add(machine, "idx", idx);
  return machine.run([&] { gather_rows<kWithout>(dst.data(), table.data(), idx.data()); });
}

TEST(A2A3Gather, MovesRows) {
  std::vector<float> dst(64);
  ASSERT_TRUE(is_clean(run_gather<Part::Nothing>(dst)));
  EXPECT_EQ(dst[0], 15 * 8 + 1);
  EXPECT_EQ(dst[8], 15 * 8 + 1);
  EXPECT_EQ(dst[16 + 7], 3 * 8 + 8);
}

TEST(A2A3Gather, ReliesOnTheLoadFlags) {
  std::vector<float> dst(64);
  const Reports reports = run_gather<Part::LoadFlags>(dst);
  EXPECT_TRUE(reports_only(reports, ReportKind::Race));
  EXPECT_TRUE(mentions(reports, "no flag or barrier orders MTE2 before S"));
}

TEST(A2A3Gather, TellsMte3Itself) {
  std::vector<float> dst(64);
  EXPECT_TRUE(is_clean(run_gather<Part::StoreFlags>(dst)));
}

TEST(A2A3Gather, ClearsNzTilesFirst) {
  std::vector<half> table(32 * 32);
  for (std::size_t k = 0; k < table.size(); ++k) table[k].bits = static_cast<std::uint16_t>(k + 1);
  std::vector<half> dst(32 * 32, half(1.0F));
  std::vector<int32_t> idx = random_below<int32_t>(32, 40);
  Machine machine(Device::A2A3);
  add(machine, "dst", dst);
  add(machine, "table", table);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { a2a3_gather_nz(dst.data(), table.data(), idx.data()); })));
  for (std::size_t k = 0; k < dst.size(); ++k) {
    const std::size_t slot = static_cast<std::size_t>(idx[k % 512 / 16]);
    const std::size_t at = k / 512 * 512 + slot * 16 + k % 16;
    ASSERT_EQ(dst[k].bits, slot < 32 ? table[at].bits : 0) << k;
  }
}

// Memory of a gather of blocks, and what it left.
struct BlockRun {
  std::vector<int16_t> src = counted<int16_t>(4 * 32);
  std::vector<uint32_t> offset;
  std::vector<int16_t> dst;
  Reports reports;

  int16_t expected(std::size_t place, std::size_t element) const {
    return src[offset[place] / 2 + element];
  }
};

template <int kBlocks, int kPitch>
BlockRun run_blocks() {
  BlockRun run;
  run.offset = random_below<uint32_t>(3 * kBlocks, 112);
  for (uint32_t& offset : run.offset) offset *= 2;  // not always a multiple of the block
  run.dst.resize(3 * 16 * kBlocks);
  Machine machine(Device::A2A3);
  add(machine, "src", run.src);
  add(machine, "dst", run.dst);
  add(machine, "offset", run.offset);
  run.reports = machine.run([&] {
    a2a3_gather_blocks<kBlocks, kPitch>(run.dst.data(), run.src.data(), run.offset.data());
  });
  return run;
}

TEST(A2A3Tgatherb, TakesABlockForEachOffsetOfWholeRepeats) {
  const BlockRun run = run_blocks<16, 24>();
  ASSERT_TRUE(is_clean(run.reports));
  for (std::size_t k = 0; k < run.dst.size(); ++k)
    EXPECT_EQ(run.dst[k], run.expected(k / 16, k % 16)) << k;
}

// Rows of 384 bytes: the offsets of the second row's last 128 follow those of the first row's,
// eight later, and so are that row's first.
TEST(A2A3Tgatherb, TakesOffsetsOfTailsOneAfterTheOther) {
  const BlockRun run = run_blocks<12, 16>();
  EXPECT_TRUE(mentions(run.reports, "which nothing has written"));
  for (std::size_t k = 0; k < 4 * 16; ++k)
    EXPECT_EQ(run.dst[(12 + 8) * 16 + k], run.expected(12 + k / 16, k % 16)) << k;
}

TEST(A2A3Tgatherb, TakesEightOffsetsOfRowsThatHaveFewer) {
  EXPECT_TRUE(mentions(run_blocks<3, 8>().reports, "which nothing has written"));
}

enum class ScalarPart { Nothing, LoadFlags, StoreFlags };

// a2a3:tscatter runs on the scalar pipe.
template <ScalarPart kWithout>
void scatter_tile(int16_t* dst, int16_t* src, uint16_t* idx) {
  Tile<TileType::Vec, int16_t, 2, 16, BLayout::RowMajor, 2, 11> src_tile;
  Tile<TileType::Vec, uint16_t, 2, 16, BLayout::RowMajor, 2, 11> idx_tile;
  Tile<TileType::Vec, int16_t, 4, 16> dst_tile;
  GlobalTensor<int16_t, Shape<1, 1, 1, 2, 11>, Stride<1, 1, 1, 11, 1>> src_gm(src);
  GlobalTensor<uint16_t, Shape<1, 1, 1, 2, 11>, Stride<1, 1, 1, 11, 1>> idx_gm(idx);
  GlobalTensor<int16_t, Shape<1, 1, 1, 4, 16>, Stride<1, 1, 1, 16, 1>> dst_gm(dst);
  TASSIGN<0>(src_tile);
  TASSIGN<64>(idx_tile);
  TASSIGN<128>(dst_tile);
  TLOAD(src_tile, src_gm);
  TLOAD(idx_tile, idx_gm);
  if constexpr (kWithout != ScalarPart::LoadFlags) {
    set_flag(PIPE_MTE2, PIPE_S, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_S, EVENT_ID0);
  }
  TSCATTER(dst_tile, src_tile, idx_tile);
  if constexpr (kWithout != ScalarPart::StoreFlags) {
    set_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);
  }
  TSTORE(dst_gm, dst_tile);
}

template <ScalarPart kWithout>
Reports run_scatter_tile(std::vector<int16_t>& dst) {
  std::vector<int16_t> src = counted<int16_t>(22);
  std::vector<uint16_t> idx = counted<uint16_t>(22, 40);
  idx[3] = 40;
  Machine machine(Device::A2A3);
  add(machine, "dst", dst);
  add(machine, "src", src);
  add(machine, "idx", idx);
  return machine.run([&] { scatter_tile<kWithout>(dst.data(), src.data(), idx.data()); });
}

TEST(A2A3Tscatter, ClearsTheWholeTileAndTheLastWriterWins) {
  std::vector<int16_t> dst(64, -1);
  ASSERT_TRUE(is_clean(run_scatter_tile<ScalarPart::Nothing>(dst)));
  EXPECT_EQ(dst[0], 0);
  EXPECT_EQ(dst[40], 4);
  EXPECT_EQ(dst[41], 2);
  EXPECT_EQ(dst[43], 0);
  EXPECT_EQ(dst[61], 22);
}

TEST(A2A3Tscatter, NeedsFlagsOfTheScalarPipe) {
  std::vector<int16_t> dst(64, -1);
  EXPECT_TRUE(mentions(run_scatter_tile<ScalarPart::LoadFlags>(dst),
                       "no flag or barrier orders MTE2 before S"));
  const Reports reports = run_scatter_tile<ScalarPart::StoreFlags>(dst);
  EXPECT_TRUE(mentions(reports, "TSCATTER (operation 3 on S) writes UB 0x80, TSTORE"));
  EXPECT_EQ(static_cast<std::uint16_t>(dst[0]), 0xa5a5);
}

}  // namespace
}  // namespace pto::emulation::testing
