// Memory that kernels keep on the stack has an end, and an emitter that would go beyond it stops.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/scratch_slots.h"
#include "targets/planner.h"
#include "tests/llvm/loaded_code.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::Choices;
using llvm_backend::FunctionBuilder;
using llvm_backend::kMostStack;
using llvm_backend::Room;
using llvm_backend::Runs;
using llvm_backend::ScratchSlots;

TEST(LlvmStack, ARoomHoldsWhatItWasMadeFor) {
  const Room room{nullptr, 64};
  EXPECT_EQ(room.within(0, 64), 0);
  EXPECT_EQ(room.within(56, 8), 56);
  EXPECT_DEATH(room.within(57, 8), "its memory on the stack");
  EXPECT_DEATH(room.within(-1, 8), "its memory on the stack");
}

TEST(LlvmStack, AllRoomsTogetherAreBounded) {
  FunctionBuilder f("kernel", target_at(FeatureLevel::Native), "");
  f.room(kMostStack);
  EXPECT_DEATH(f.room(1), "more stack than there is");
}

TEST(LlvmStack, AScratchSlotTakesNoLongerUnitThanItHolds) {
  const LegalSpec legal =
      legal_spec("a5:mscatter.row.skip src=u8[24x1024|24x?] idx=i32[1x24] table=u8[5x?]");
  const KernelPlan plan = make_plan(legal);
  FunctionBuilder f("kernel", target_at(FeatureLevel::Native), "");
  Runs runs(f, {}, 0);
  ScratchSlots slots(f, plan, Choices{.scratch = 512});
  slots.reserve(runs);
  slots.find(f.parameter());
  EXPECT_TRUE(slots.hold(512));
  EXPECT_FALSE(slots.hold(513));
  slots.of({.lane = 3, .scale = 1, .unit = 512});
  EXPECT_DEATH(slots.of({.lane = 0, .scale = 1, .unit = 640}), "its memory on the stack");
}

}  // namespace
}  // namespace pto::jit::tests
