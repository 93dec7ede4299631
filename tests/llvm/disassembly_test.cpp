// Code of any machine as LLVM reads it: offsets, branch targets, and what a level does not know.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::disassemble;
using llvm_backend::machine_at;

std::vector<std::byte> words(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> out;
  for (const std::uint32_t value : values) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  return out;
}

std::string text_at(FeatureLevel level, const std::vector<std::byte>& code) {
  return disassemble(code, *machine_at("aarch64-linux-gnu", level));
}

TEST(LlvmDisassembly, ShowsInstructionsBehindTheirOffsetsAndWhereBranchesGo) {
  const auto code = words({0xf9400008,    // ldr x8, [x0]
                           0xf1000508,    // subs x8, x8, #1
                           0x54ffffe1,    // b.ne -4
                           0xd65f03c0});  // ret
  EXPECT_EQ(text_at(FeatureLevel::Neon, code),
            "0x0000  ldr x8, [x0]\n"
            "0x0004  subs x8, x8, #1\n"
            "0x0008  b.ne 0x0004\n"
            "0x000c  ret\n");
}

TEST(LlvmDisassembly, ReadsAnyTriple) {
  const std::vector<std::byte> code = {std::byte{0x90}, std::byte{0xc3}};
  const auto machine = machine_at("x86_64-linux-gnu", FeatureLevel::Baseline);
  ASSERT_TRUE(machine);
  EXPECT_EQ(disassemble(code, *machine), "0x0000  nop\n0x0001  retq\n");
}

// What makes a test of it that code keeps to its level.
TEST(LlvmDisassembly, ALevelDoesNotKnowWhatIsAboveIt) {
  const auto code = words({0x4e421420,    // NEON on f16
                           0x04a30041,    // SVE
                           0x04213c40});  // SVE2
  EXPECT_EQ(text_at(FeatureLevel::Sve2, code),
            "0x0000  fadd v0.8h, v1.8h, v2.8h\n"
            "0x0004  add z1.s, z2.s, z3.s\n"
            "0x0008  bsl z0.d, z0.d, z1.d, z2.d\n");
  EXPECT_EQ(text_at(FeatureLevel::Sve, code),
            "0x0000  fadd v0.8h, v1.8h, v2.8h\n"
            "0x0004  add z1.s, z2.s, z3.s\n"
            "0x0008  .word 0x04213c40\n");
  EXPECT_EQ(text_at(FeatureLevel::Neon, code),
            "0x0000  .word 0x4e421420\n"
            "0x0004  .word 0x04a30041\n"
            "0x0008  .word 0x04213c40\n");
}

TEST(LlvmDisassembly, AMachineThatIsNotKnownIsNamed) {
  EXPECT_NE(disassemble(words({0}), {"nowhere-linux-gnu", "", ""}).find("nowhere"),
            std::string::npos);
}

}  // namespace
}  // namespace pto::jit::tests
