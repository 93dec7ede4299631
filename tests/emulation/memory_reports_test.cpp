// Reports about memory: its bounds, its order, its cache, and transfers that do not fit it.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

namespace pto::emulation::testing {
namespace {

using SmallTile = Tile<TileType::Vec, float, 8, 8>;
using SmallGm = GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>>;

template <typename Kernel>
Reports run_with(std::vector<float>& memory, Kernel kernel) {
  Machine machine(Device::A2A3);
  add(machine, "memory", memory);
  return machine.run([&] { kernel(memory.data()); });
}

void load_then_store() {
  set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
}

TEST(GlobalMemory, EndsWhereItWasRegistered) {
  std::vector<float> memory(63);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::OutsideMemory));
  EXPECT_TRUE(mentions(reports, "TLOAD (operation 1 on MTE2) reads 32 bytes at 'memory' + 0xe0"));
}

TEST(GlobalMemory, KeepsWhatIsReadOnly) {
  const std::vector<float> input = counted<float>(64);
  std::vector<float> copy = input;
  Machine machine(Device::A2A3);
  add(machine, "input", static_cast<const std::vector<float>&>(copy));
  const Reports reports = machine.run([&] {
    SmallTile tile;
    SmallGm gm(copy.data());
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
    load_then_store();
    TSTORE(gm, tile);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::ReadOnlyMemory));
  EXPECT_EQ(copy, input);
}

TEST(GlobalMemory, IsOutOfReachOfPlainPointers) {
  std::vector<float> memory = counted<float>(64);
  float seen = 0;
  const Reports reports = run_with(memory, [&seen](float* at) {
    seen = at[3];
    at[5] = 1000.0F;
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::PlainPointer));
  EXPECT_NE(seen, 4.0F);
  EXPECT_EQ(memory, counted<float>(64));
}

TEST(GlobalMemory, IsRegisteredOnce) {
  std::vector<float> memory(64);
  Machine machine(Device::A2A3);
  add(machine, "memory", memory);
  EXPECT_THROW(machine.add_memory("part", memory.data() + 8, 32), std::invalid_argument);
}

TEST(Transfers, ReadOnlyWhatWasWritten) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TSTORE(gm, tile);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Uninitialised));
}

TEST(Transfers, MoveExactlyTheTable) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 7, 8> tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Extent));
}

TEST(Transfers, OfA2A3HaveFewerThan4096Lines) {
  std::vector<float> memory(4096 * 8);
  const Reports reports = run_with(memory, [](float* at) {
    Tile<TileType::Vec, float, 8, 4096, BLayout::ColMajor, 8, 4096> tile;
    GlobalTensor<float, Shape<1, 1, 1, 8, 4096>, Stride<1, 1, 1, 1, 8>, Layout::DN> gm(at);
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Extent));
}

TEST(Transfers, ThatOverlapTheLastOneAreUnordered) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
    load_then_store();
    TSTORE(gm, tile);
    TLOAD(tile, gm);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Race));
  EXPECT_TRUE(mentions(reports, "reads UB 0x0, TLOAD (operation 3 on MTE2) writes it"));
}

TEST(Bursts, BeginOnBlocks) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    TASSIGN<0>(tile);
    copy_gm_to_ubuf_align_b32(tile.data() + 4, at, 0, 1, 32, 0, 0, 0, 0);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Misaligned));
}

TEST(Bursts, AddOnlyElementsOfTheMode) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    TLOAD(tile, gm);
    set_atomic_f16();
    set_atomic_add();
    pipe_barrier(PIPE_ALL);
    copy_ubuf_to_gm_align_b32(at, tile.data(), 0, 1, 32, 0, 0, 0, 0);
    pipe_barrier(PIPE_ALL);
    set_atomic_none();
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::StoreMode));
}

TEST(Cache, IsNotSeenByTransfers) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    SmallTile tile;
    SmallGm gm(at);
    TASSIGN<0>(tile);
    gm.data()[3] = 1.0F;
    set_flag(PIPE_S, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_S, PIPE_MTE2, EVENT_ID0);
    TLOAD(tile, gm);
    dcci(static_cast<void*>(nullptr), ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::CacheNotFlushed));
  EXPECT_EQ(memory[3], 1.0F);
}

TEST(Cache, IsCleanedLineByLine) {
  std::vector<float> memory(64);
  const Reports reports = run_with(memory, [](float* at) {
    GmPointer<float> gm = at;
    gm[0] = 1.0F;
    gm[40] = gm[0] + 1.0F;
    dcci(at, SINGLE_CACHE_LINE);
    dcci(gm + 40, SINGLE_CACHE_LINE, CACHELINE_OUT);
    dsb(DSB_DDR);
  });
  EXPECT_TRUE(is_clean(reports));
  EXPECT_EQ(memory[40], 2.0F);
}

TEST(Indices, ThatAreUndefinedReachNothingElse) {
  std::vector<float> memory(64);
  std::vector<int32_t> idx = {0, 1, 2, 3, 4, 5, 6, 8};
  Machine machine(Device::A2A3);
  add(machine, "memory", memory);
  add(machine, "idx", idx);
  const Reports reports = machine.run([&] {
    SmallTile tile;
    Tile<TileType::Vec, int32_t, 1, 8> index;
    SmallGm gm(memory.data());
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> index_gm(idx.data());
    TASSIGN<0>(tile);
    TASSIGN<256>(index);
    TLOAD(tile, gm);
    TLOAD(index, index_gm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER(gm, tile, index);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::OutsideMemory));
  EXPECT_TRUE(mentions(reports, "writes 32 bytes at 'memory' + 0x100, beyond its end"));
}

TEST(Rows, AreNoWiderThanTheTable) {
  std::vector<float> memory(64);
  std::vector<int32_t> idx(8, 0);
  Machine machine(Device::A2A3);
  add(machine, "memory", memory);
  add(machine, "idx", idx);
  const Reports reports = machine.run([&] {
    SmallTile tile;
    Tile<TileType::Vec, int32_t, 1, 8> index;
    SmallGm gm(memory.data());
    GlobalTensor<float, Shape<1, 1, 1, 8, 7>, Stride<1, 1, 1, 7, 1>> narrow(memory.data());
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> index_gm(idx.data());
    TASSIGN<0>(tile);
    TASSIGN<256>(index);
    TLOAD(tile, gm);
    TLOAD(index, index_gm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Skip>(narrow, tile, index);
  });
  EXPECT_TRUE(reports_only(reports, ReportKind::Extent));
}

TEST(Kernels, RunOnlyInsideAMachine) { EXPECT_THROW(pipe_barrier(PIPE_ALL), std::logic_error); }

}  // namespace
}  // namespace pto::emulation::testing
