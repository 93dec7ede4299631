// Code for x86-64 as text: offsets, branch targets, constants behind the code.
#include "jit/backends/watching/disassembly.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#if defined(__x86_64__)

namespace pto::jit {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(Disassembly, ShowsOneInstructionALineBehindItsOffset) {
  const auto code = bytes({0x48, 0x8b, 0x07,                          // mov rax, [rdi]
                           0x48, 0x81, 0xec, 0x10, 0x01, 0x00, 0x00,  // sub rsp, 0x110
                           0xc3});
  EXPECT_EQ(disassemble(code),
            "0x0000  mov rax, [rdi]\n"
            "0x0003  sub rsp, 0x110\n"
            "0x000a  ret\n");
}

TEST(Disassembly, TellsBranchTargetsFromTheKernelsStart) {
  const auto code = bytes({0x48, 0xff, 0xc8,                    // dec rax
                           0x75, 0xfb,                          // jnz -5
                           0x0f, 0x84, 0x00, 0x00, 0x00, 0x00,  // jz +0
                           0xc3});
  EXPECT_EQ(disassemble(code),
            "0x0000  dec rax\n"
            "0x0003  jnz 0x0000\n"
            "0x0005  jz 0x000b\n"
            "0x000b  ret\n");
}

TEST(Disassembly, ShowsConstantsBehindTheCodeAndWhereTheyAreRead) {
  const auto code = bytes({0xf3, 0x0f, 0x59, 0x05, 0x04, 0x00, 0x00, 0x00,  // mulss xmm0, [rip + 4]
                           0xc3, 0x90, 0x90, 0x90, 0x00, 0x00, 0x80, 0x77, 0x01});
  EXPECT_EQ(end_of_instructions(code), 9u);
  EXPECT_EQ(disassemble(code),
            "0x0000  mulss xmm0, [0x000c]\n"
            "0x0008  ret\n"
            "0x0009  db 0x90\n"
            "0x000a  db 0x90\n"
            "0x000b  db 0x90\n"
            "0x000c  dd 0x77800000\n"
            "0x0010  db 0x01\n");
}

TEST(Disassembly, GoesOnBehindAReturnThatABranchLeadsPast) {
  const auto code = bytes({0x74, 0x01, 0xc3, 0x90, 0xc3, 0x90});
  EXPECT_EQ(end_of_instructions(code), 5u);
  EXPECT_EQ(disassemble(code),
            "0x0000  jz 0x0003\n"
            "0x0002  ret\n"
            "0x0003  nop\n"
            "0x0004  ret\n"
            "0x0005  db 0x90\n");
}

TEST(Disassembly, TakesWhatDoesNotDecodeForConstants) {
  EXPECT_EQ(disassemble(bytes({0x90, 0x06, 0x0f})),
            "0x0000  nop\n"
            "0x0001  db 0x06\n"
            "0x0002  db 0x0f\n");
  EXPECT_EQ(disassemble({}), "");
}

}  // namespace
}  // namespace pto::jit

#endif
