// Kernels for A2/A3 written out in primitives: bursts, store mode, scalar accesses. Every handshake
// of theirs is missed when it is left out, unless another one implies it.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

#ifndef PTO_EMULATION
template <typename T>
using GmPointer = __gm__ T*;
template <typename T>
using UbPointer = __ubuf__ T*;
#endif

namespace pto::emulation::testing {
namespace {

enum class Part {
  Nothing,
  LoadedForScalar,
  ModeForStores,
  StoredBeforeNext,
  StoredBeforeReset,
  Reset,
  Flush,
};

void handshake(pipe_t from, pipe_t to) {
  set_flag(from, to, EVENT_ID0);
  wait_flag(from, to, EVENT_ID0);
}

// a2a3:mscatter.row.skip[.atomic_add] src=f32[8x8] idx=i32[1x8] table=f32[8x8], expanded.
template <bool kAdds, Part kWithout>
void scatter_rows(float* table, float* src, int32_t* idx) {
  Tile<TileType::Vec, float, 8, 8> srcTile;
  Tile<TileType::Vec, int32_t, 1, 8> idxTile;
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x100>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  UbPointer<float> srcUb = srcTile.data();
  UbPointer<const int32_t> idxUb = idxTile.data();

  handshake(PIPE_V, PIPE_S);
  if constexpr (kWithout != Part::LoadedForScalar) handshake(PIPE_MTE2, PIPE_S);
  if constexpr (kAdds) {
    set_atomic_f32();
    set_atomic_add();
  }
  if constexpr (kWithout != Part::ModeForStores) handshake(PIPE_S, PIPE_MTE3);
  for (uint32_t r = 0; r < 8; ++r) {
    const uint32_t slot = static_cast<uint32_t>(idxUb[r]);
    if (slot < 8) {
      copy_ubuf_to_gm_align_b32(table + slot * 8, srcUb + r * 8, 0, 1, 8 * sizeof(float), 0, 0, 0,
                                0);
      if constexpr (!kAdds && kWithout != Part::StoredBeforeNext) handshake(PIPE_MTE3, PIPE_S);
    }
  }
  if constexpr (kAdds) {
    if constexpr (kWithout != Part::StoredBeforeReset) handshake(PIPE_MTE3, PIPE_S);
    if constexpr (kWithout != Part::Reset) set_atomic_none();
    handshake(PIPE_S, PIPE_V);
    handshake(PIPE_S, PIPE_MTE2);
  }
  handshake(PIPE_MTE3, PIPE_V);
  handshake(PIPE_MTE3, PIPE_MTE2);
}

// a2a3:mscatter.elem.skip.atomic_add src=f16[2x16] idx=i32[2x16] table=f16[24], expanded.
template <Part kWithout>
void add_elements(half* table, half* src, int32_t* idx) {
  Tile<TileType::Vec, half, 2, 16> srcTile;
  Tile<TileType::Vec, int32_t, 2, 16> idxTile;
  GlobalTensor<half, Shape<1, 1, 1, 2, 16>, Stride<1, 1, 1, 16, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 2, 16>, Stride<1, 1, 1, 16, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x40>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  GmPointer<half> tableGm = table;
  UbPointer<const half> srcUb = srcTile.data();
  UbPointer<const int32_t> idxUb = idxTile.data();

  handshake(PIPE_V, PIPE_S);
  handshake(PIPE_MTE3, PIPE_S);
  if constexpr (kWithout != Part::LoadedForScalar) handshake(PIPE_MTE2, PIPE_S);
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t slot = static_cast<uint32_t>(idxUb[i]);
    if (slot >= 24) continue;
    const half old = tableGm[slot];
    tableGm[slot] = static_cast<half>(static_cast<float>(old) + static_cast<float>(srcUb[i]));
  }
  handshake(PIPE_S, PIPE_V);
  handshake(PIPE_S, PIPE_MTE2);
  handshake(PIPE_S, PIPE_MTE3);
  if constexpr (kWithout != Part::Flush) {
    dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
  }
}

// a2a3:mgather.row dst=f32[16x16]:nz idx=i32[1x16] table=f32[2x1x1x16x8]:nz, expanded: a burst for
// each d0. With two block columns in d1 one burst call would take both.
void gather_nz_rows(float* dst, float* table, int32_t* idx) {
  Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor, 512> dstTile;
  Tile<TileType::Vec, int32_t, 1, 16> idxTile;
  GlobalTensor<float, Shape<1, 2, 1, 16, 8>, Stride<256, 128, 128, 8, 1>, Layout::NZ> dstGm(dst);
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 16>, Stride<1, 1, 1, 16, 1>> idxGm(idx);
  TASSIGN<0x0>(dstTile);
  TASSIGN<0x400>(idxTile);
  TLOAD(idxTile, idxGm);
  UbPointer<float> dstUb = dstTile.data();
  UbPointer<const int32_t> idxUb = idxTile.data();
  handshake(PIPE_MTE2, PIPE_S);
  for (uint32_t r = 0; r < 16; ++r) {
    const uint32_t slot = static_cast<uint32_t>(idxUb[r]);
    copy_gm_to_ubuf_align_b32(dstUb + r * 8, table + slot * 8, 0, 2, 32, 0, 0,
                              (128 - 8) * sizeof(float), 16 - 1);
  }
  handshake(PIPE_S, PIPE_MTE2);
  handshake(PIPE_MTE2, PIPE_V);
  handshake(PIPE_MTE2, PIPE_MTE3);
  handshake(PIPE_S, PIPE_V);
  handshake(PIPE_S, PIPE_MTE3);
  TSTORE(dstGm, dstTile);
}

// a2a3:tgatherb src=u8[1x64] offset=u32[1x32] dst=u8[1x32]: elements, which no instruction gathers.
void gather_bytes(uint8_t* dst, uint8_t* src, uint32_t* offset) {
  Tile<TileType::Vec, uint8_t, 1, 64> srcTile;
  Tile<TileType::Vec, uint32_t, 1, 32> offsetTile;
  Tile<TileType::Vec, uint8_t, 1, 32> dstTile;
  GlobalTensor<uint8_t, Shape<1, 1, 1, 1, 64>, Stride<1, 1, 1, 64, 1>> srcGm(src);
  GlobalTensor<uint32_t, Shape<1, 1, 1, 1, 32>, Stride<1, 1, 1, 32, 1>> offsetGm(offset);
  GlobalTensor<uint8_t, Shape<1, 1, 1, 1, 32>, Stride<1, 1, 1, 32, 1>> dstGm(dst);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x40>(offsetTile);
  TASSIGN<0xc0>(dstTile);
  TLOAD(srcTile, srcGm);
  TLOAD(offsetTile, offsetGm);
  handshake(PIPE_MTE2, PIPE_S);
  UbPointer<const uint8_t> srcUb = UbPointer<const uint8_t>(srcTile.data());
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t at = offsetTile.GetValue(i);
    dstTile.SetValue(i, srcUb[at]);
  }
  handshake(PIPE_S, PIPE_MTE3);
  TSTORE(dstGm, dstTile);
}

template <bool kAdds, Part kWithout>
Reports run_rows(std::vector<float>& table) {
  std::vector<float> src = counted<float>(64);
  std::vector<int32_t> idx = {1, 7, 1, 9, 0, 1, 2, 7};
  Machine machine(Device::A2A3);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  return machine.run([&] { scatter_rows<kAdds, kWithout>(table.data(), src.data(), idx.data()); });
}

TEST(A2A3ExpandedRows, StoreAndAdd) {
  std::vector<float> table(64, 0.0F);
  ASSERT_TRUE(is_clean(run_rows<false, Part::Nothing>(table)));
  EXPECT_EQ(table[8], 41.0F);
  EXPECT_EQ(table[56], 57.0F);
  table.assign(64, 1000.0F);
  ASSERT_TRUE(is_clean(run_rows<true, Part::Nothing>(table)));
  EXPECT_EQ(table[8], 1000.0F + 1.0F + 17.0F + 41.0F);
  EXPECT_EQ(table[24], 1000.0F);
}

TEST(A2A3ExpandedRows, MissTheirHandshakes) {
  std::vector<float> table(64, 0.0F);
  EXPECT_TRUE(mentions(run_rows<false, Part::LoadedForScalar>(table),
                       "no flag or barrier orders MTE2 before S"));
  EXPECT_TRUE(mentions(run_rows<false, Part::ModeForStores>(table),
                       "no flag or barrier orders MTE2 before MTE3"));
  EXPECT_TRUE(mentions(run_rows<true, Part::ModeForStores>(table),
                       "set_atomic_add (operation 4 on S) writes the store mode"));
  EXPECT_TRUE(mentions(run_rows<true, Part::StoredBeforeReset>(table),
                       "on S) writes it: no flag or barrier orders MTE3 before S"));
}

// Two stores to one row may be in flight together; two additions may.
TEST(A2A3ExpandedRows, MissTheEndOfAnEarlierStore) {
  std::vector<float> table(64, 0.0F);
  const Reports reports = run_rows<false, Part::StoredBeforeNext>(table);
  EXPECT_TRUE(reports_only(reports, ReportKind::Race));
  EXPECT_TRUE(mentions(reports, "nothing says that the first has finished"));
}

TEST(A2A3ExpandedRows, MissTheResetOfTheMode) {
  std::vector<float> table(64, 0.0F);
  EXPECT_TRUE(reports_only(run_rows<true, Part::Reset>(table), ReportKind::StoreMode));
}

template <Part kWithout>
Reports run_elements(std::vector<half>& table) {
  std::vector<half> src(32, half(1.0F));
  std::vector<int32_t> idx = random_below<int32_t>(32, 30);
  Machine machine(Device::A2A3);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  return machine.run([&] { add_elements<kWithout>(table.data(), src.data(), idx.data()); });
}

TEST(A2A3ExpandedElements, AddThroughScalars) {
  std::vector<half> table(24);
  ASSERT_TRUE(is_clean(run_elements<Part::Nothing>(table)));
  float sum = 0;
  for (const half element : table) sum += static_cast<float>(element);
  const std::vector<int32_t> idx = random_below<int32_t>(32, 30);
  EXPECT_EQ(sum, static_cast<float>(std::count_if(idx.begin(), idx.end(),
                                                  [](int32_t slot) { return slot < 24; })));
}

TEST(A2A3ExpandedElements, MissLoadFlagsAndFlush) {
  std::vector<half> table(24);
  EXPECT_TRUE(mentions(run_elements<Part::LoadedForScalar>(table), "a scalar access (operation 3"));
  EXPECT_TRUE(reports_only(run_elements<Part::Flush>(table), ReportKind::CacheNotFlushed));
}

TEST(A2A3ExpandedGather, MovesNzRowsInTwoBursts) {
  std::vector<float> table = counted<float>(256);
  std::vector<float> dst(256);
  std::vector<int32_t> idx = random_below<int32_t>(16, 16);
  Machine machine(Device::A2A3);
  add(machine, "table", table);
  add(machine, "dst", dst);
  add(machine, "idx", idx);
  ASSERT_TRUE(is_clean(machine.run([&] { gather_nz_rows(dst.data(), table.data(), idx.data()); })));
  for (std::size_t k = 0; k < 256; ++k) {
    const auto slot = static_cast<std::size_t>(idx[k % 128 / 8]);
    EXPECT_EQ(dst[k], table[k / 128 * 128 + slot * 8 + k % 8]);
  }
}

TEST(A2A3ExpandedGather, MovesSingleBytes) {
  std::vector<uint8_t> src = counted<uint8_t>(64);
  std::vector<uint8_t> dst(32);
  std::vector<uint32_t> offset = random_below<uint32_t>(32, 64);
  Machine machine(Device::A2A3);
  add(machine, "src", src);
  add(machine, "dst", dst);
  add(machine, "offset", offset);
  ASSERT_TRUE(is_clean(machine.run([&] { gather_bytes(dst.data(), src.data(), offset.data()); })));
  for (std::size_t k = 0; k < 32; ++k) EXPECT_EQ(dst[k], src[offset[k]]);
}

}  // namespace
}  // namespace pto::emulation::testing
