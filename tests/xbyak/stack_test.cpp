// Memory that kernels keep on the stack has an end, and an emitter that would go beyond it stops.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "jit/backends/xbyak/assembler.h"

namespace pto::jit::tests {
namespace {

TEST(XbyakStack, AnAreaHoldsWhatItWasMadeFor) {
  std::array<std::uint8_t, xbyak::Assembler::kMaxCode> code{};
  xbyak::Assembler a(code.data(), {});
  a.new_slot();
  const xbyak::StackSlot area = a.new_area(64);
  EXPECT_EQ(area.within(0, 64), 8U);
  EXPECT_EQ(area.within(56, 8), 64U);
  EXPECT_DEATH(area.within(57, 8), "ran out of its memory");
  EXPECT_DEATH(area.within(-1, 8), "ran out of its memory");
}

TEST(XbyakStack, AllAreasTogetherAreBounded) {
  std::array<std::uint8_t, xbyak::Assembler::kMaxCode> code{};
  xbyak::Assembler a(code.data(), {});
  a.prologue();
  a.new_area(xbyak::Assembler::kMaxStack + 8);
  EXPECT_DEATH(a.epilogue(), "ran out of stack");
}

}  // namespace
}  // namespace pto::jit::tests
