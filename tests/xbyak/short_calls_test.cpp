// What a call of a few indices does beside moving them.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/machine_code/decoded.h"
#include "tests/xbyak/code_levels.h"

namespace pto::jit::tests {
namespace {

bool uses_stack(const Instruction& instruction) {
  const auto operands = instruction.all_operands();
  return std::any_of(operands.begin(), operands.end(), [](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RSP &&
           operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
  });
}

TEST(ShortCalls, KeepPointersInRegistersAndHaveNoLoop) {
  for (const std::string_view text :
       {"a5:mscatter.elem src=f32[1x8] idx=i32[1x8] table=f32[4096]",
        "a5:mscatter.elem.clamp src=f16[1x16|1x8] idx=i32[1x8] table=f16[4096]",
        "a5:mgather.row.clamp dst=f32[8x8] idx=i32[1x8] table=f32[64x8]"}) {
    const KernelPlan plan = make_plan(*verify(*parse(text)));
    for (const FeatureLevel level : {FeatureLevel::Avx2, FeatureLevel::Avx512}) {
      const Decoded code = decode(assembled(plan, strategy_at(plan, level)));
      for (const Instruction& instruction : code.instructions) {
        EXPECT_FALSE(uses_stack(instruction)) << text;
        EXPECT_FALSE(jump_target(instruction)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace pto::jit::tests
