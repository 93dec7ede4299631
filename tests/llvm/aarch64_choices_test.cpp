// The instructions of aarch64 that kernels are there for: each where it pays, and not elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/llvm/cross_program.h"
#include "tests/llvm/elf_symbols.h"

namespace pto::jit::tests {
namespace {

bool has_instruction(std::string_view text, const Host& host, std::string_view wanted) {
  const auto legal = verify(*parse(text));
  EXPECT_TRUE(legal) << text;
  const auto object = llvm_backend::emit_object(make_plan(*legal), "kernel", machine_of(host));
  EXPECT_TRUE(object) << text;
  const auto decoded = llvm_backend::decode(instructions_of(*object), machine_of(host));
  return std::ranges::any_of(*decoded, [&](const llvm_backend::DecodedInstruction& instruction) {
    return instruction.text.find(wanted) != std::string::npos;
  });
}

constexpr const Host& kNeon = kHosts[0];
constexpr const Host& kSve = kHosts[2];
constexpr const Host& kSve2 = kHosts[3];

struct Choice {
  std::string_view spec;
  const Host& host;
  std::string_view instruction;
  bool is_there = true;
};

constexpr std::array kChoices = {
    // Rows that no cache holds are asked for ahead of time, to be read or to be written.
    Choice{"a5:mgather.row dst=f32[64x128] idx=i32[1x64] table=f32[8192x128]", kNeon,
           "prfm pldl1keep"},
    Choice{"a5:mscatter.row src=f32[64x128] idx=i32[1x64] table=f32[8192x128]", kNeon,
           "prfm pstl1keep"},
    Choice{"a5:mgather.row dst=f32[300x8] idx=i32[1x304|1x300] table=f32[65536x8]", kNeon,
           "prfm pldl2keep"},
    Choice{"a5:mgather.row dst=f32[64x128] idx=i32[1x64] table=f32[100x128]", kNeon, "prfm", false},
    // Rows go by pairs.
    Choice{"a5:mgather.row dst=f32[64x128] idx=i32[1x64] table=f32[100x128]", kNeon, "ldp q"},
    // Tables of up to 64 bytes are looked up in registers.
    Choice{"a5:mgather.elem dst=f32[4x64] idx=i32[4x64] table=f32[16]", kNeon, "tbl"},
    Choice{"a5:mgather.elem.zero dst=i8[4x64] idx=i32[4x64] table=i8[20]", kNeon, "tbl"},
    Choice{"a5:mgather.elem dst=f32[4x64] idx=i32[4x64] table=f32[17]", kNeon, "tbl", false},
    // SVE gathers, with a predicate for what becomes zero.
    Choice{"a5:mgather.elem dst=f32[4x64] idx=i32[4x64] table=f32[1000]", kSve,
           "ld1w { z0.s }, p0/z, [x"},
    Choice{"a5:mgather.elem.zero dst=f16[4x64] idx=i32[4x64] table=f16[1000]", kSve2, "ld1h"},
    Choice{"a5:mgather.elem.zero dst=f32[4x64] idx=i32[4x64] table=f32[1000]", kSve, "cmphi p"},
    Choice{"a5:tgatherb src=f32[1x4096] offset=u32[2x256] dst=f32[2x256]", kSve, "uxtw]"},
    Choice{"a5:mscatter.elem src=f32[4x64] idx=i32[4x64] table=f32[1000]", kSve2, "st1w", false},
    // What is left of a row is said by a predicate.
    Choice{"a5:mgather.elem dst=f32[2x64|2x55] idx=i32[2x64|2x55] table=f32[100]", kSve, "vl3"},
    Choice{"a5:mgather.elem dst=f32[2x64|2x?] idx=i32[2x64|2x?] table=f32[?]", kSve2, "whilelo"},
    Choice{"a5:mgather.elem dst=f32[2x64] idx=i32[2x64] table=f32[100]", kSve, "whilelo", false},
    // Lanes in turn with zeros.
    Choice{"a5:tscatter.p0001 src=f32[4x128] dst=f32[4x512]", kNeon, "st4"},
    Choice{"a5:tscatter.p1010 src=f16[4x128] dst=f16[4x256]", kSve2, "st2h"},
    // One f16 is added as it is where that can be.
    Choice{"a5:mscatter.elem.atomic_add src=f16[4x64] idx=i32[4x64] table=f16[1000]", kSve,
           "fadd h"},
    Choice{"a5:mscatter.elem.atomic_add src=f16[4x64] idx=i32[4x64] table=f16[1000]", kNeon,
           "fadd s"},
};

TEST(LlvmAarch64Choices, TakeAnInstructionWhereItPays) {
  for (const Choice& choice : kChoices) {
    EXPECT_EQ(has_instruction(choice.spec, choice.host, choice.instruction), choice.is_there)
        << choice.instruction << " as " << choice.host.name << ": " << choice.spec;
  }
}

}  // namespace
}  // namespace pto::jit::tests
