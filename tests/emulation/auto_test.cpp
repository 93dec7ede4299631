// Kernels compiled with __PTO_AUTO__ place no tiles and set no flags; here as on the device that
// is someone else's work.
#define REGISTER_BASE 1
#define __PTO_AUTO__ 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

// a5:mscatter.elem src=f32[8x8] idx=i32[8x8] table=f32[128]
extern "C" __global__ AICORE void auto_scatter(__gm__ float* table, __gm__ float* src,
                                               __gm__ int32_t* idx) {
  Tile<TileType::Vec, float, 8, 8> srcTile;
  Tile<TileType::Vec, int32_t, 8, 8> idxTile;
  GlobalTensor<float, Shape<1, 1, 1, 1, 128>, Stride<1, 1, 1, 128, 1>> tableGm(table);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined, ScatterConflict::Last>(
      tableGm, srcTile, idxTile);
}

namespace pto::emulation::testing {
namespace {

TEST(Auto, PlacesAndOrdersByItself) {
  std::vector<float> table(128, 0.0F);
  std::vector<float> src = counted<float>(64);
  std::vector<int32_t> idx = counted<int32_t>(64, 50);
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { auto_scatter(table.data(), src.data(), idx.data()); })));
  EXPECT_EQ(table[50], 1.0F);
  EXPECT_EQ(table[113], 64.0F);
}

TEST(Auto, RunsOutOfRoomAsOthersDo) {
  const auto two_large_tiles = [] {
    Tile<TileType::Vec, float, 1024, 32> first;
    Tile<TileType::Vec, float, 1024, 32> second;
  };
  EXPECT_TRUE(
      reports_only(Machine(Device::A5, 216 * 1024).run(two_large_tiles), ReportKind::UbOverflow));
}

}  // namespace
}  // namespace pto::emulation::testing
