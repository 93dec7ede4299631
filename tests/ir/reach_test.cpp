// How far kernels reach into their operands: worked out by hand for each way of walking.
#include "ir/reach.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/doors/cli/bind_text.h"
#include "targets/binding.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

Reach reach(std::string_view text, std::string_view values = "") {
  const KernelSpec spec = *parse(text);
  const BoundSpec bound = *jit::bind(*verify(spec), *cli::parse_bindings(spec, values));
  return reach_of(bound.plan(), frame_of(bound.spec()));
}

TEST(Reach, EndsWithTheLastValidElement) {
  EXPECT_EQ(reach("a5:mscatter.row src=f32[8x32|3x32] idx=i32[1x8|1x3] table=f32[64x32]"),
            (Reach{3 * 128, 3 * 4, 64 * 128}));
  EXPECT_EQ(reach("a2a3:mscatter.row src=f32[8x32|3x20] idx=i32[1x8|1x3] table=f32[64x32]"),
            (Reach{2 * 128 + 80, 3 * 4, 63 * 128 + 80}));
  EXPECT_EQ(reach("a5:mgather.elem dst=u8[4x32|3x7] idx=i32[4x8|3x7] table=u8[100]"),
            (Reach{2 * 32 + 7, (2 * 8 + 7) * 4, 100}));
}

TEST(Reach, FollowsTheLayoutOfTheTile) {
  EXPECT_EQ(reach("a5:mgather.row dst=f32[8x5|3x5]:cm idx=i32[8x1|3x1]:cm table=f32[11x5]"),
            (Reach{(4 * 8 + 3) * 4, 3 * 4, 11 * 20}));
  // Block columns of 16: the third has five columns, of which the 20th row is the last.
  EXPECT_EQ(reach("a2a3:mscatter.elem src=f16[32x64|20x37]:nz idx=i32[32x64|20x37] "
                  "table=f16[1x4x2x16x16]:nz"),
            (Reach{2 * 32 * 32 + 19 * 32 + 5 * 2, (19 * 64 + 37) * 4, 4 * 2 * 16 * 32}));
  // A row of the table moves whole, whatever is valid.
  EXPECT_EQ(reach("a2a3:mscatter.row src=f16[32x64|20x7]:nz idx=i32[1x32|1x20] "
                  "table=f16[1x4x2x16x16]:nz")
                .walked,
            3 * 32 * 32 + 20 * 32);
}

TEST(Reach, TakesRuntimeExtentsFromTheFrame) {
  constexpr std::string_view spec =
      "a2a3:mgather.elem.zero dst=f32[8x8|?x?] idx=i32[8x8|?x?] table=f32[?x?]";
  EXPECT_EQ(reach(spec, "dst.vr=2,dst.vc=3,table.d3=4,table.d4=5"), (Reach{44, 44, 80}));
  EXPECT_EQ(reach(spec, "dst.vr=0,dst.vc=3,table.d3=4,table.d4=5"), (Reach{0, 0, 80}));
  EXPECT_EQ(reach(spec, "dst.vr=2,dst.vc=3,table.d3=0,table.d4=5"), (Reach{44, 44, 0}));
}

TEST(Reach, IsNothingBehindAClosedGateButForTheAudit) {
  const std::string operands = " src=f32[8x8|?x?] idx=i32[8x8|?x?] table=f32[?x?]";
  constexpr std::string_view values = "src.vr=2,src.vc=3,table.d3=0,table.d4=5";
  EXPECT_EQ(reach("a2a3:mscatter.elem.skip" + operands, values), (Reach{0, 0, 0}));
  EXPECT_EQ(reach("a2a3:mscatter.elem.skip.audit" + operands, values), (Reach{0, 44, 0}));
}

TEST(Reach, OfFormsThatFillATileIsTheWholeTile) {
  EXPECT_EQ(reach("a5:tscatter src=f32[16x16|3x5] idx=i32[16x16|3x5] dst=f32[16x16]"),
            (Reach{(2 * 16 + 5) * 4, (2 * 16 + 5) * 4, 1024}));
  EXPECT_EQ(reach("a5:tscatter.p1010 src=f16[16x64|3x5] dst=f16[16x128|3x10]"),
            (Reach{(2 * 64 + 5) * 2, 0, 16 * 128 * 2}));
  EXPECT_EQ(reach("a5:tscatter.p1111 src=f16[16x64|3x5] dst=f16[16x128|3x5]"),
            (Reach{(2 * 64 + 5) * 2, 0, (2 * 128 + 5) * 2}));
  EXPECT_EQ(reach("a2a3:mgather.row.zero dst=f16[32x64|3x64]:nz idx=i32[1x32|1x3] "
                  "table=f16[1x4x2x16x16]:nz")
                .walked,
            32 * 64 * 2);
}

TEST(Reach, OfByteOffsetsIsTheWholeSource) {
  EXPECT_EQ(reach("cpu:tgatherb src=u8[1x256] offset=u32[1x256|1x9] dst=u8[1x256|1x9]"),
            (Reach{9, 36, 256}));
  EXPECT_EQ(reach("a2a3:tgatherb.block src=f16[4x64] offset=u32[4x8|2x3] dst=f16[4x48|2x48]"),
            (Reach{2 * 96, (8 + 3) * 4, 512}));
}

TEST(Reach, NeverLeavesTheStorage) {
  const KernelSpec spec = *parse(
      "a5:comm.tscatter src=f32[2x70x32] dst=f32[2x16x32@700x40x1] stage=f32[8x32] "
      "ranks=4 root=1");
  const BoundSpec bound = *jit::bind(*verify(spec), {});
  const Frame frame = frame_of(bound.spec());
  const Reach found = reach_of(bound.plan(), frame);
  EXPECT_EQ(found.walked, (70 + 64) * 128);  // six rows of each part go to nobody
  EXPECT_EQ(found.addressed, 700 * 4 + 15 * 160 + 128);
  EXPECT_LE(found.walked, touched_bytes(bound.spec(), Role::Table, bound.plan(), frame));
  EXPECT_EQ(found.addressed, touched_bytes(bound.spec(), Role::Peer, bound.plan(), frame));
}

// One byte behind what any of them may touch is a page nobody may.
TEST(Reach, IsWhereTheGuardPagesOfTheGridStand) {
  const LegalSpec legal =
      *verify(*parse("a2a3:mgather.row dst=f32[8x8|3x5] idx=i32[1x8|1x3] table=f32[64x8@8x1]"));
  const auto load = make_workload(legal, legal.spec(), Pattern::Random, 1);
  ASSERT_TRUE(load);
  const Reach found = reach_of(load->plan, frame_of(load->bound));
  const auto read_at = [&](const void* operand, std::int64_t byte) {
    static_cast<void>(*(static_cast<const volatile std::byte*>(operand) + byte));
  };
  run_guarded(*load, Guard::Behind, [&](const Frame& frame) {
    read_at(frame.tile, found.walked - 1);
    read_at(frame.index, found.index - 1);
    EXPECT_DEATH(read_at(frame.tile, found.walked), "");
    EXPECT_DEATH(read_at(frame.index, found.index), "");
  });
}

}  // namespace
}  // namespace pto::jit::tests
