// The record of a run: every step in program order, operations with what they touched.
#define MEMORY_BASE 1

#include <cstdint>
#include <pto/pto-inst.hpp>

#include "tests/emulation/support.h"

using namespace pto;

namespace pto::emulation::testing {
namespace {

TEST(Record, TellsTheStepsOfARunInOrder) {
  std::vector<float> src(64, 1.0F);
  std::vector<float> dst(64, 0.0F);
  Machine machine(Device::A2A3);
  add(machine, "src", src);
  add(machine, "dst", dst);
  ASSERT_TRUE(is_clean(machine.run([&] {
    using Tensor = GlobalTensor<float, Shape<1, 1, 1, 2, 8>, Stride<1, 1, 1, 16, 1>>;
    Tile<TileType::Vec, float, 2, 8> tile;
    TASSIGN(tile, 0x40);
    Tensor from(src.data() + 4);
    Tensor to(dst.data());
    TLOAD(tile, from);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID3);
    TSTORE(to, tile);
    pipe_barrier(PIPE_ALL);
  })));
  EXPECT_EQ(machine.record(),
            "operation\tMTE2\tTLOAD\treads\tsrc\t16\t112\t64\twrites\tUB\t64\t128\t64\n"
            "set\tMTE2\tMTE3\tEVENT_ID3\n"
            "wait\tMTE2\tMTE3\tEVENT_ID3\n"
            "operation\tMTE3\tTSTORE\treads\tUB\t64\t128\t64\twrites\tdst\t0\t96\t64\n"
            "barrier\tALL\n");
}

}  // namespace
}  // namespace pto::emulation::testing
