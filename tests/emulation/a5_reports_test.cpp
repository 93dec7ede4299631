// Reports that only A5 gives, and what its policies leave open.
#define REGISTER_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

namespace pto::emulation::testing {
namespace {

void place_beyond_128_kb() {
  Tile<TileType::Vec, float, 1024, 32> large;
  Tile<TileType::Vec, int32_t, 1024, 8> index;
  TASSIGN<0>(large);
  TASSIGN<128 * 1024>(index);
}

TEST(DynamicUb, IsAskedForByTheLaunch) {
  const Reports reports = Machine(Device::A5).run(place_beyond_128_kb);
  EXPECT_TRUE(reports_only(reports, ReportKind::DynamicUb));
  EXPECT_TRUE(mentions(reports, "must pass at least 163840 bytes, it passed 0"));
  EXPECT_TRUE(reports_only(Machine(Device::A5, 160 * 1024 - 1).run(place_beyond_128_kb),
                           ReportKind::DynamicUb));
  EXPECT_TRUE(is_clean(Machine(Device::A5, 160 * 1024).run(place_beyond_128_kb)));
}

TEST(DynamicUb, EndsAt216Kb) {
  const auto place_last = [](int64_t offset) {
    return Machine(Device::A5, 256 * 1024).run([offset] {
      Tile<TileType::Vec, float, 8, 8> tile;
      TASSIGN(tile, offset);
    });
  };
  EXPECT_TRUE(is_clean(place_last(216 * 1024 - 256)));
  EXPECT_TRUE(reports_only(place_last(216 * 1024 - 224), ReportKind::UbOverflow));
}

// Where any writer may win, the emulation lets the first one, so that a kernel that needs the last
// is not right by luck.
template <ScatterConflict kConflict>
float scatter_to_one_slot() {
  std::vector<float> table(8, 0.0F);
  std::vector<float> src = counted<float>(64);
  std::vector<int32_t> idx(64, 5);
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  const Reports reports = machine.run([&] {
    Tile<TileType::Vec, float, 8, 8> src_tile;
    Tile<TileType::Vec, int32_t, 8, 8> idx_tile;
    GlobalTensor<float, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> table_gm(table.data());
    GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> src_gm(src.data());
    GlobalTensor<int32_t, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> idx_gm(idx.data());
    TASSIGN<0>(src_tile);
    TASSIGN<256>(idx_tile);
    TLOAD(src_tile, src_gm);
    TLOAD(idx_tile, idx_gm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined, kConflict>(
        table_gm, src_tile, idx_tile);
    pipe_barrier(PIPE_ALL);
    dcci(static_cast<void*>(nullptr), ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
  });
  EXPECT_TRUE(is_clean(reports));
  return table[5];
}

TEST(Conflicts, AreDecidedByThePolicy) {
  EXPECT_EQ(scatter_to_one_slot<ScatterConflict::Last>(), 64.0F);
  EXPECT_EQ(scatter_to_one_slot<ScatterConflict::Default>(), 1.0F);
}

void do_nothing() {}

TEST(Launches, HaveAtMost1024Threads) {
  const auto launch = [] { cce::async_invoke<do_nothing>(cce::dim3{32, 33}); };
  EXPECT_TRUE(reports_only(Machine(Device::A5).run(launch), ReportKind::Extent));
}

}  // namespace
}  // namespace pto::emulation::testing
