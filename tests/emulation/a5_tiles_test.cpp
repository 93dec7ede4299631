// Whole A5 kernels around the tile-to-tile and communication forms run clean and are right.
#define REGISTER_BASE 1

#include <cstdint>
#include <pto/comm/pto_comm_inst.hpp>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

// a5:tscatter src=f32[4x8] idx=i32[4x8] dst=f32[8x8]
extern "C" __global__ AICORE void a5_tscatter(__gm__ float* dst, __gm__ float* src,
                                              __gm__ int32_t* idx) {
  Tile<TileType::Vec, float, 4, 8> srcTile;
  Tile<TileType::Vec, int32_t, 4, 8> idxTile;
  Tile<TileType::Vec, float, 8, 8> dstTile;
  GlobalTensor<float, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> dstGm(dst);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x80>(idxTile);
  TASSIGN<0x100>(dstTile);
  TLOAD(srcTile, srcGm);
  TLOAD(idxTile, idxGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TSCATTER(dstTile, srcTile, idxTile);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(dstGm, dstTile);
}

// a5:tscatter.p0100 src=f16[2x16|2x5] dst=f16[2x32|2x20]
extern "C" __global__ AICORE void a5_tscatter_p0100(__gm__ half* dst, __gm__ half* src) {
  Tile<TileType::Vec, half, 2, 16, BLayout::RowMajor, 2, 5> srcTile;
  Tile<TileType::Vec, half, 2, 32, BLayout::RowMajor, 2, 20> dstTile;
  GlobalTensor<half, Shape<1, 1, 1, 2, 5>, Stride<1, 1, 1, 5, 1>> srcGm(src);
  GlobalTensor<half, Shape<1, 1, 1, 2, 20>, Stride<1, 1, 1, 20, 1>> dstGm(dst);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x40>(dstTile);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TSCATTER<MaskPattern::P0100>(dstTile, srcTile);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(dstGm, dstTile);
}

// a5:comm.tscatter src=f32[2x1x1x12x16] dst=f32[2x1x1x4x16] stage=f32[8x16] ranks=3 root=1: each
// rank's data are one stage full.
extern "C" __global__ AICORE void a5_comm_single(__gm__ float* src, __gm__ float* rank0,
                                                 __gm__ float* rank1, __gm__ float* rank2) {
  using RankGm = GlobalTensor<float, Shape<2, 1, 1, 4, 16>, Stride<64, 64, 64, 16, 1>>;
  RankGm ranks[3] = {RankGm(rank0), RankGm(rank1), RankGm(rank2)};
  comm::ParallelGroup<RankGm> group(ranks, 3, 1);
  GlobalTensor<float, Shape<2, 1, 1, 12, 16>, Stride<192, 192, 192, 16, 1>> srcGm(src);
  Tile<TileType::Vec, float, 8, 16> stage;
  TASSIGN<0x0>(stage);
  comm::TSCATTER(group, srcGm, stage);
}

// a5:comm.tscatter.pingpong src=f32[40x20] dst=f32[10x20@24x1] stage=f32[4x8|?x?] ranks=4 root=0
extern "C" __global__ AICORE void a5_comm_pingpong(__gm__ float* src, __gm__ float* rank0,
                                                   __gm__ float* rank1, __gm__ float* rank2,
                                                   __gm__ float* rank3) {
  using RankGm = GlobalTensor<float, Shape<1, 1, 1, 10, 20>, Stride<1, 1, 1, 24, 1>>;
  RankGm ranks[4] = {RankGm(rank0), RankGm(rank1), RankGm(rank2), RankGm(rank3)};
  comm::ParallelGroup<RankGm> group(ranks, 4, 0);
  GlobalTensor<float, Shape<1, 1, 1, 40, 20>, Stride<1, 1, 1, 20, 1>> srcGm(src);
  using StageTile = Tile<TileType::Vec, float, 4, 8, BLayout::RowMajor, -1, -1>;
  StageTile ping(4, 8);
  StageTile pong(4, 8);
  TASSIGN<0x0>(ping);
  TASSIGN<0x80>(pong);
  comm::TSCATTER(group, srcGm, ping, pong);
}

// Compiled, and refused when run.
extern "C" __global__ AICORE void a5_comm_ccu(__gm__ float* src, __gm__ float* rank0,
                                              comm::CcuTriggerContext context) {
  using RankGm = GlobalTensor<float, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>>;
  RankGm ranks[1] = {RankGm(rank0)};
  comm::ParallelGroup<RankGm> group(ranks, 1, 0);
  GlobalTensor<float, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>> srcGm(src);
  Tile<TileType::Vec, float, 4, 8> stage;
  TASSIGN<0x0>(stage);
  comm::TSCATTER<comm::CollEngine::CCU>(group, srcGm, stage, context);
}

namespace pto::emulation::testing {
namespace {

TEST(A5Tscatter, MovesByIndex) {
  std::vector<float> src = counted<float>(32);
  std::vector<float> dst(64, -1.0F);
  std::vector<int32_t> idx = random_below<int32_t>(32, 64);
  Machine machine(Device::A5);
  add(machine, "src", src);
  add(machine, "dst", dst);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { a5_tscatter(dst.data(), src.data(), idx.data()); })));
  std::vector<float> expected(64, 0.0F);
  for (std::size_t k = 0; k < 32; ++k) expected[static_cast<std::size_t>(idx[k])] = src[k];
  EXPECT_EQ(dst, expected);
}

TEST(A5Tscatter, ExpandsByMask) {
  std::vector<half> src(10);
  for (std::size_t k = 0; k < 10; ++k) src[k] = half(static_cast<float>(k) + 1.0F);
  std::vector<half> dst(40, half(-1.0F));
  Machine machine(Device::A5);
  add(machine, "src", src);
  add(machine, "dst", dst);
  ASSERT_TRUE(is_clean(machine.run([&] { a5_tscatter_p0100(dst.data(), src.data()); })));
  for (std::size_t k = 0; k < 40; ++k) {
    const float expected = k % 4 == 2 ? static_cast<float>(src[k / 4]) : 0.0F;
    EXPECT_EQ(static_cast<float>(dst[k]), expected) << k;
  }
}

TEST(A5Comm, DealsRowsThroughOneStage) {
  std::vector<float> src = counted<float>(2 * 12 * 16);
  std::vector<std::vector<float>> ranks(3, std::vector<float>(2 * 4 * 16));
  Machine machine(Device::A5);
  add(machine, "src", src);
  for (std::vector<float>& rank : ranks) add(machine, "rank", rank);
  ASSERT_TRUE(is_clean(machine.run(
      [&] { a5_comm_single(src.data(), ranks[0].data(), ranks[1].data(), ranks[2].data()); })));
  for (std::size_t rank = 0; rank < 3; ++rank) {
    for (std::size_t k = 0; k < 2 * 4 * 16; ++k) {
      EXPECT_EQ(ranks[rank][k], src[k / 64 * 192 + rank * 64 + k % 64]);
    }
  }
}

TEST(A5Comm, DealsChunksThroughTwoStages) {
  std::vector<float> src = counted<float>(40 * 20);
  std::vector<std::vector<float>> ranks(4, std::vector<float>(10 * 24, -1.0F));
  Machine machine(Device::A5);
  add(machine, "src", src);
  for (std::vector<float>& rank : ranks) add(machine, "rank", rank);
  ASSERT_TRUE(is_clean(machine.run([&] {
    a5_comm_pingpong(src.data(), ranks[0].data(), ranks[1].data(), ranks[2].data(),
                     ranks[3].data());
  })));
  for (std::size_t rank = 0; rank < 4; ++rank) {
    for (std::size_t k = 0; k < 10 * 24; ++k) {
      const float expected = k % 24 < 20 ? src[(rank * 10 + k / 24) * 20 + k % 24] : -1.0F;
      EXPECT_EQ(ranks[rank][k], expected);
    }
  }
}

TEST(A5Comm, CompilesTheCollectiveUnitButDoesNotRunIt) {
  std::vector<float> src(32);
  std::vector<float> rank(32);
  Machine machine(Device::A5);
  add(machine, "src", src);
  add(machine, "rank", rank);
  EXPECT_TRUE(reports_only(machine.run([&] { a5_comm_ccu(src.data(), rank.data(), {}); }),
                           ReportKind::NotEmulated));
}

// A stage larger than the data does not shrink where no chunks are needed.
TEST(A5Comm, RefusesAStageThatWouldOverrun) {
  std::vector<float> src(64);
  std::vector<float> rank(64);
  Machine machine(Device::A5);
  add(machine, "src", src);
  add(machine, "rank", rank);
  const Reports reports = machine.run([&] {
    using RankGm = GlobalTensor<float, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>>;
    RankGm ranks[1] = {RankGm(rank.data())};
    comm::ParallelGroup<RankGm> group(ranks, 1, 0);
    GlobalTensor<float, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>> src_gm(src.data());
    Tile<TileType::Vec, float, 4, 16, BLayout::RowMajor, -1, -1> stage(4, 16);
    TASSIGN<0>(stage);
    comm::TSCATTER(group, src_gm, stage);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Extent));
}

}  // namespace
}  // namespace pto::emulation::testing
