// Kernels for A5 written out as SIMT launches.
#define REGISTER_BASE 1

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

// Elements one lane each, in a grid-stride loop.
AICORE __simt_vf__ LAUNCH_BOUND(1024) inline void add_elements(GmPointer<float> table,
                                                               UbPointer<const float> src,
                                                               UbPointer<const int32_t> idx,
                                                               uint32_t count, uint32_t lanes) {
  const uint32_t first = threadIdx.y * 32 + threadIdx.x;
  for (uint32_t i = first; i < count; i += lanes) {
    const uint32_t slot = static_cast<uint32_t>(idx[i]);
    if (slot < 40) {
      atomicAdd(table + slot, src[i]);
    }
  }
}

// The last writer of each slot, which its lane finds from the end of the index tile.
AICORE __simt_vf__ LAUNCH_BOUND(1024) inline void store_last(GmPointer<int32_t> table,
                                                             UbPointer<const int32_t> src,
                                                             UbPointer<const int32_t> idx) {
  for (uint32_t slot = threadIdx.y * 32 + threadIdx.x; slot < 40; slot += 64) {
    for (uint32_t k = 64; k > 0; --k) {
      if (static_cast<uint32_t>(idx[k - 1]) % 40 == slot) {
        table[slot] = src[k - 1];
        break;
      }
    }
  }
}

// a5:mscatter.elem.skip.atomic_add src=f32[64x32] idx=i32[64x32] table=f32[40]
extern "C" __global__ AICORE void a5_expanded_add(__gm__ float* table, __gm__ float* src,
                                                  __gm__ int32_t* idx) {
  Tile<TileType::Vec, float, 64, 32> srcTile;
  Tile<TileType::Vec, int32_t, 64, 32> idxTile;
  GlobalTensor<float, Shape<1, 1, 1, 64, 32>, Stride<1, 1, 1, 32, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 64, 32>, Stride<1, 1, 1, 32, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x2000>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  cce::async_invoke<add_elements>(cce::dim3{32, 32}, table, srcTile.data(), idxTile.data(), 2048U,
                                  1024U);
  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

// a5:mscatter.elem.wrap src=i32[2x32] idx=i32[2x32] table=i32[40]
template <bool kHasFlags>
void expanded_last(int32_t* table, int32_t* src, int32_t* idx) {
  Tile<TileType::Vec, int32_t, 2, 32> srcTile;
  Tile<TileType::Vec, int32_t, 2, 32> idxTile;
  GlobalTensor<int32_t, Shape<1, 1, 1, 2, 32>, Stride<1, 1, 1, 32, 1>> srcGm(src);
  GlobalTensor<int32_t, Shape<1, 1, 1, 2, 32>, Stride<1, 1, 1, 32, 1>> idxGm(idx);
  TASSIGN<0x0>(srcTile);
  TASSIGN<0x100>(idxTile);
  TLOAD(idxTile, idxGm);
  TLOAD(srcTile, srcGm);
  if constexpr (kHasFlags) {
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  }
  cce::async_invoke<store_last>(cce::dim3{32, 2}, table, srcTile.data(), idxTile.data());
  pipe_barrier(PIPE_ALL);
  dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
  dsb(DSB_DDR);
}

namespace pto::emulation::testing {
namespace {

TEST(A5Expanded, AddsInWalkOrder) {
  std::vector<float> table(40, 0.1F);
  std::vector<float> src(64 * 32);
  for (std::size_t k = 0; k < src.size(); ++k) src[k] = 1.0F / static_cast<float>(k + 3);
  std::vector<int32_t> idx = random_below<int32_t>(64 * 32, 40);
  std::vector<float> expected = table;
  for (std::size_t k = 0; k < src.size(); ++k) expected[static_cast<std::size_t>(idx[k])] += src[k];
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  ASSERT_TRUE(
      is_clean(machine.run([&] { a5_expanded_add(table.data(), src.data(), idx.data()); })));
  EXPECT_EQ(table, expected);
}

template <bool kHasFlags>
Reports run_last(std::vector<int32_t>& table) {
  std::vector<int32_t> src = counted<int32_t>(64);
  std::vector<int32_t> idx = random_below<int32_t>(64, 1000);
  Machine machine(Device::A5);
  add(machine, "table", table);
  add(machine, "src", src);
  add(machine, "idx", idx);
  return machine.run([&] { expanded_last<kHasFlags>(table.data(), src.data(), idx.data()); });
}

TEST(A5Expanded, FindsTheLastWriter) {
  std::vector<int32_t> table(40, -1);
  std::vector<int32_t> expected = table;
  const std::vector<int32_t> idx = random_below<int32_t>(64, 1000);
  for (std::size_t k = 0; k < 64; ++k) {
    expected[static_cast<std::size_t>(idx[k] % 40)] = static_cast<int32_t>(k) + 1;
  }
  ASSERT_TRUE(is_clean(run_last<true>(table)));
  EXPECT_EQ(table, expected);
}

TEST(A5Expanded, SeesWhatThreadsReadBeforeItIsThere) {
  std::vector<int32_t> table(40, -1);
  EXPECT_TRUE(mentions(run_last<false>(table), "async_invoke (operation 3 on V) reads it"));
}

}  // namespace
}  // namespace pto::emulation::testing
