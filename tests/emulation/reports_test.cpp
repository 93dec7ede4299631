// Reports about flags and tiles. Like those about memory they are provoked by a line or two, on
// A2/A3 because the target does not matter.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

namespace pto::emulation::testing {
namespace {

using SmallTile = Tile<TileType::Vec, float, 8, 8>;
using SmallGm = GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>>;

template <typename Kernel>
Reports run(Kernel kernel, Launch launch = {}) {
  return Machine(launch).run(kernel);
}

template <typename Kernel>
Reports run_with(std::vector<float>& memory, Kernel kernel) {
  Machine machine(Device::A2A3);
  add(machine, "memory", memory);
  return machine.run([&] { kernel(memory.data()); });
}

TEST(Flags, MustBeWaitedFor) {
  const Reports reports = run([] { set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2); });
  EXPECT_TRUE(reports_only(reports, ReportKind::FlagNotWaited));
  EXPECT_TRUE(mentions(reports, "set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2): still set"));
}

TEST(Flags, AreNotSetTwice) {
  const Reports reports = run([] {
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::FlagReused));
}

TEST(Flags, AreNotWaitedForInVain) {
  const Reports reports = run([] { wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); });
  EXPECT_TRUE(reports_only(reports, ReportKind::WaitWithoutSet));
  EXPECT_TRUE(mentions(reports, "the device would hang here"));
}

TEST(Flags, JoinTwoPipes) {
  EXPECT_TRUE(reports_only(run([] { set_flag(PIPE_V, PIPE_V, EVENT_ID0); }), ReportKind::Extent));
}

// The handshakes inside an intrinsic take the first flag of their pipes.
TEST(Flags, OfIntrinsicsCollideWithOnesStillSet) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    Tile<TileType::Vec, int32_t, 1, 8> index;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TASSIGN<256>(index);
    set_flag(PIPE_V, PIPE_S, EVENT_ID0);
    MSCATTER(gm, tile, index);
  });
  EXPECT_TRUE(mentions(reports, "set_flag(PIPE_V, PIPE_S, EVENT_ID0): set before"));
}

TEST(Tiles, MustNotOverlap) {
  const Reports reports = run([] {
    SmallTile first;
    Tile<TileType::Vec, float, 8, 16> second;
    TASSIGN<0>(first);
    TASSIGN<224>(second);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::TileOverlap));
  EXPECT_TRUE(mentions(reports, "tile at [0xe0, 0x2e0) overlaps the live tile at [0x0, 0x100)"));
}

TEST(Tiles, MayBeViewsOfOneStorage) {
  EXPECT_TRUE(is_clean(run([] {
    SmallTile whole;
    Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 5, 3> part;
    TASSIGN<0>(whole);
    TASSIGN<0>(part);
  })));
}

TEST(Tiles, FreeTheirPlaceWhenTheyDie) {
  EXPECT_TRUE(is_clean(run([] {
    {
      SmallTile first;
      TASSIGN<0>(first);
    }
    Tile<TileType::Vec, float, 8, 16> second;
    TASSIGN<0>(second);
  })));
}

TEST(Tiles, AreNotBothSourceAndDestination) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    Tile<TileType::Vec, float, 1, 64> src;
    Tile<TileType::Vec, float, 1, 64> dst;
    Tile<TileType::Vec, uint32_t, 1, 8> offset;
    GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<1, 1, 1, 64, 1>> gm(at);
    GlobalTensor<uint32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> offset_gm(
        reinterpret_cast<uint32_t*>(at));
    TASSIGN<0>(src);
    TASSIGN<0>(dst);
    TASSIGN<256>(offset);
    TLOAD(src, gm);
    TLOAD(offset, offset_gm);
    pipe_barrier(PIPE_ALL);
    TGATHERB(dst, src, offset);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::TileOverlap));
}

TEST(Tiles, MustFit) {
  EXPECT_TRUE(reports_only(run([] {
                             SmallTile tile;
                             TASSIGN(tile, 192 * 1024 - 32);
                           }),
                           ReportKind::UbOverflow));
}

TEST(Tiles, MustBeAligned) {
  EXPECT_TRUE(reports_only(run([] {
                             SmallTile tile;
                             TASSIGN(tile, 0x10);
                           }),
                           ReportKind::Misaligned));
}

TEST(Tiles, MustBePlaced) {
  std::vector<float> memory(64);
  EXPECT_TRUE(reports_only(run_with(memory,
                                    [](float* at) {
                                      SmallTile tile;
                                      SmallGm gm(at);
                                      TLOAD(tile, gm);
                                    }),
                           ReportKind::TileNotPlaced));
}

TEST(Tiles, AreForTheDeviceTheyRunOn) {
  EXPECT_TRUE(
      reports_only(run([] { SmallTile tile; }, {Device::A5, 0, false}), ReportKind::WrongDevice));
}

TEST(Tiles, HaveValidExtentsWithinThePaddedOnes) {
  EXPECT_TRUE(reports_only(
      run([] { Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, -1, 8> tile(int64_t{9}); }),
      ReportKind::Extent));
}

}  // namespace
}  // namespace pto::emulation::testing
