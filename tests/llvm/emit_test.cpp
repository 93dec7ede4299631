// Emitted text, objects and headers: what they hold, what they need, and how they fail.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/compile/host_object.h"
#include "jit/version.h"
#include "targets/planner.h"
#include "tests/llvm/elf_symbols.h"
#include "tests/style/tree.h"
#include "tests/support/cells.h"
#include "tests/support/grid.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::emit_header;
using llvm_backend::emit_ir;
using llvm_backend::emit_object;
using llvm_backend::MachineTarget;

const MachineTarget kPlain{"x86_64-linux-gnu", "x86-64", ""};
const MachineTarget kWide{"x86_64-linux-gnu", "x86-64-v4", ""};
const MachineTarget kArm{"aarch64-linux-gnu", "", ""};

KernelPlan plan_of(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << text;
  const Result<LegalSpec> legal = verify(*spec);
  EXPECT_TRUE(legal) << text;
  return make_plan(*legal);
}

KernelPlan some_plan() {
  return plan_of("a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[?x16]");
}

TEST(LlvmEmit, ObjectsNeedNothingButMemcpyAndMemset) {
  const std::vector<MachineTarget> targets = {
      kPlain,
      {"x86_64-linux-gnu", "x86-64", "+avx2,+f16c,+bmi2,+fma"},
      kWide,
      kArm,
  };
  std::map<std::string, int> needed;
  for (const GridCase& entry : chosen_cases(runnable_grid(), 500)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    for (const MachineTarget& target : targets) {
      const auto object = emit_object(make_plan(*legal), "kernel", target);
      ASSERT_TRUE(object) << print(entry.spec) << "\n" << render(object.error());
      for (const std::string& symbol : undefined_symbols(*object)) {
        ++needed[symbol];
        EXPECT_TRUE(symbol == "memcpy" || symbol == "memset")
            << symbol << " on " << target.triple << " " << target.features << "\n"
            << print(entry.spec);
      }
    }
  }
  for (const auto& [symbol, count] : needed) std::printf("%s: %d times\n", symbol.c_str(), count);
}

TEST(LlvmEmit, TextPassesTheVerifier) {
  for (const GridCase& entry : chosen_cases(runnable_grid(), 500)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    for (const MachineTarget& target : {kPlain, kWide, kArm}) {
      const Result<std::string> text = emit_ir(make_plan(*legal), "kernel", target);
      ASSERT_TRUE(text) << print(entry.spec) << "\n" << render(text.error());
      EXPECT_NE(text->find("define void @kernel(ptr"), std::string::npos);
      EXPECT_EQ(text->find("bfloat"), std::string::npos) << "bf16 is integer arithmetic";
    }
  }
}

TEST(LlvmEmit, TextIsTheSameEachTime) {
  EXPECT_EQ(*emit_ir(some_plan(), "kernel", kPlain), *emit_ir(some_plan(), "kernel", kPlain));
}

TEST(LlvmEmit, ObjectsAreForTheMachineThatWasAskedFor) {
  EXPECT_EQ(machine_of(*emit_object(some_plan(), "kernel", kPlain)), EM_X86_64);
  EXPECT_EQ(machine_of(*emit_object(some_plan(), "kernel", kArm)), EM_AARCH64);
}

void expect_refused(const MachineTarget& target, const std::string& word) {
  const auto object = emit_object(some_plan(), "kernel", target);
  ASSERT_FALSE(object) << target.triple;
  EXPECT_EQ(object.error().front().id, "llvm.target");
  EXPECT_NE(object.error().front().message.find(word), std::string::npos) << render(object.error());
  EXPECT_FALSE(emit_ir(some_plan(), "kernel", target));
}

TEST(LlvmEmit, RefusesMachinesItCannotMakeCodeFor) {
  expect_refused({"nonsense", "", ""}, "triple");
  expect_refused({"wasm32-unknown-unknown", "", ""}, "wasm32");
  expect_refused({"x86_64-linux-gnu", "fastest", ""}, "'fastest'");
  expect_refused({"x86_64-linux-gnu", "", "+avx3"}, "'+avx3'");
  expect_refused({"x86_64-linux-gnu", "", "avx2"}, "'avx2'");
  expect_refused({"x86_64-linux-gnu", "i386", ""}, "i386");
  expect_refused({"aarch64_be-linux-gnu", "", ""}, "little-endian");
  expect_refused({"i386-linux-gnu", "", ""}, "64-bit");
  expect_refused({"x86_64-linux-gnux32", "", ""}, "64-bit");
  for (const std::string format : {"coff", "macho", "wasm", "goff", "xcoff", "spirv"}) {
    expect_refused({"x86_64-unknown-unknown-" + format, "", ""}, "ELF");
  }
}

// With a register for arguments reserved, LLVM can make no call of memcpy.
TEST(LlvmEmit, FailingCodegenIsAnErrorWithWhatLlvmSaid) {
  const KernelPlan calls =
      plan_of("a5:mgather.row dst=f32[1x8192] idx=i32[1x8|1x1] table=f32[9x8192]");
  const auto object = emit_object(calls, "kernel", {"aarch64-linux-gnu", "", "+reserve-x1"});
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().front().id, "llvm.codegen");
  EXPECT_NE(object.error().front().message.find("argument registers is reserved"),
            std::string::npos)
      << render(object.error());
  EXPECT_TRUE(emit_object(calls, "kernel", kArm)) << "the next one is not affected";
}

TEST(LlvmEmit, RefusesSymbolsThatCHasNot) {
  for (const std::string symbol : {"", "a-b", "1st", "a b", "x\n", "while", "memset", "malloc"}) {
    const auto object = emit_object(some_plan(), symbol, kPlain);
    ASSERT_FALSE(object) << symbol;
    EXPECT_EQ(object.error().front().id, "option.name");
    EXPECT_FALSE(emit_ir(some_plan(), symbol, kPlain));
  }
}

// The frame's fields where the kernels look for them, in both languages, with two headers at once.
TEST(LlvmEmit, HeadersDeclareTheFrameAsItIs) {
  std::string text = emit_header(some_plan(), "first", "a kernel") +
                     emit_header(some_plan(), "second", "a kernel") +
                     "#include <stddef.h>\n#ifdef __cplusplus\n#define CHECK static_assert\n#else\n"
                     "#define CHECK _Static_assert\n#endif\n";
  for (const FrameField& field : kFrameFields) {
    text += "CHECK(offsetof(struct ptojit_frame, " + std::string(field.name) +
            ") == " + std::to_string(field.offset) + ", \"\");\n";
  }
  text += "CHECK(sizeof(struct ptojit_frame) == " + std::to_string(sizeof(Frame)) + ", \"\");\n" +
          "CHECK(sizeof(struct ptojit_audit_report) == " + std::to_string(sizeof(AuditReport)) +
          ", \"\");\nvoid (*entry)(const struct ptojit_frame*) = second;\n";
  for (const std::string language : {"-x c -std=c11", "-x c++ -std=c++20"}) {
    const style::Outcome outcome = style::run("printf '%s' " + style::quoted(text) + " | " +
                                              style::quoted(tests::compiler_path()) + " " +
                                              language + " -Wall -Wextra -Werror -fsyntax-only -");
    EXPECT_EQ(outcome.exit_code, 0) << language << "\n" << outcome.output << text;
  }
}

TEST(LlvmEmit, HeadersNameTheScratchOfAudits) {
  const auto header = [](const std::string& spec) {
    return emit_header(plan_of(spec), "kernel", "a kernel");
  };
  const std::string fixed = "a5:mscatter.elem.audit src=i32[5x8] idx=u32[5x8] table=i32[64]";
  const std::int64_t bytes = scratch_bytes(plan_of(fixed), Frame{});
  EXPECT_EQ(bytes, 8 + 16 * 64);
  EXPECT_NE(header(fixed).find("Wants scratch: " + std::to_string(bytes) + " bytes."),
            std::string::npos)
      << header(fixed);
  const std::string open =
      "a5:mscatter.row.audit src=i32[5x8|?x8] idx=u32[1x8|1x?] table=i32[64x8]";
  EXPECT_NE(
      header(open).find("8 + 16 * p bytes, p the greatest power of 2 up to 2 * extents[0] + 1"),
      std::string::npos)
      << header(open);
  Frame frame;
  frame.extents[0] = 5;
  EXPECT_EQ(scratch_bytes(plan_of(open), frame), 8 + 16 * 8) << "as the header has it";
  EXPECT_EQ(header("a5:mgather.row.audit dst=i32[8x8] idx=u32[1x8] table=i32[64x8]").find("Wants"),
            std::string::npos);
}

TEST(LlvmEmit, HeadersBeginWithTheVersionThatMadeThem) {
  EXPECT_TRUE(emit_header(some_plan(), "kernel", "a kernel")
                  .starts_with("/* ptojit " PTOJIT_VERSION ": a kernel */\n"));
}

TEST(LlvmEmit, HeadersNameTheExtentsToFillIn) {
  EXPECT_NE(emit_header(some_plan(), "kernel", "a kernel").find("extents[9]  table.d3"),
            std::string::npos)
      << emit_header(some_plan(), "kernel", "a kernel");
}

TEST(LlvmEmit, HeadersOfObjectsNameExtentsAsTheSpecDoes) {
  const KernelSpec spec =
      *parse("a2a3:mgather.row dst=f32[8x16|?x16] idx=i32[1x8|1x?] table=f32[9x16]");
  const Result<HostObject> object = pto::jit::emit_object(spec);
  ASSERT_TRUE(object) << render(object.error());
  for (const char* part : {"extents[0]  dst.vr\n", "walk      dst.vr x"})
    EXPECT_NE(object->header.find(part), std::string::npos) << object->header;
}

}  // namespace
}  // namespace pto::jit::tests
