// The checker of modules: it finds what is ill-formed, and what the assembler or its library would
// refuse or do wrong. And what a module says about its use.
#include "tests/source/module_checker.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/assembler/assembler_text.h"

namespace pto::jit::tests {
namespace {

std::string module_of(const char* text) {
  const Result<LegalSpec> legal = verify(*parse(text));
  if (!legal) return render(legal.error());
  const Result<AssemblerModule> module = assembler_module(*legal);
  return module ? module->text : render(module.error());
}

std::string edited(std::string module, std::string_view from, std::string_view to) {
  const std::size_t at = module.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in\n" << module;
  return at == std::string::npos ? module : module.replace(at, from.size(), to);
}

TEST(ModuleChecker, FindsBrokenModules) {
  const std::string good =
      module_of("a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  ASSERT_EQ(read_module(good).problem, "");
  const std::pair<const char*, const char*> edits[] = {
      {"%c64 = ", "%c65 = "},
      {"%c64, %c32], strides", "%c64, %c33], strides"},
      {"    return\n", ""},
      {"outs(%src_tile : ", "outs(%idx_tile : "},
      {"<8x32xf32>", "<9x32xf32>"},
      {"%idx_view = ", "%src_view = "},
      {"#pto.layout<nd>", "nd"},
      {"!pto.ptr<i32>", "!pto.ptr<f32>"},
      {"    %c0 = ", "    %c7 = arith.constant 7 : index\n    %c0 = "},
  };
  for (const auto& [from, to] : edits)
    EXPECT_NE(read_module(edited(good, from, to)).problem, "") << from << " became " << to;
}

// Modules that are well-formed and that the assembler refuses, or whose kernel would be wrong: each
// is one of ours with one thing undone.
struct Undone {
  const char* spec;
  const char* from;
  const char* to;
  const char* problem;
};

constexpr Undone kUndone[] = {
    {"a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "    pto.cmo.cacheinvalid all #pto.address_space<gm>\n", "", "data cache"},
    {"a2a3:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[256]",
     "    pto.fence.barrier_all #pto.fence_scope<gm>\n", "", "data cache"},
    {"a5:mscatter.elem src=f32[8x8|5x8] idx=i32[8x8|5x8]:cm table=f32[256]",
     "%idx, shape = [%c8, %c8]", "%idx, shape = [%c5, %c8]", "inferred nd"},
    {"a5:mscatter.elem src=f32[8x8] idx=i32[8x8] table=f32[16x8x4]", "%c17, %c8, %c4]",
     "%c16, %c8, %c4]", "inferred nz"},
    {"a2a3:mgather.elem dst=f16[8x16] idx=i32[8x16] table=f16[2x16x16x4]", "%c2, %c17, %c16, %c4]",
     "%c2, %c16, %c16, %c4]", "inferred nz"},
    {"a5:tscatter.p1010 src=f16[16x64|16x32] dst=f16[16x128|16x64]",
     "pto.set_validshape %dst_tile, %c16, %c128", "pto.set_validshape %dst_tile, %c16, %c64",
     "does not fit"},
    {"a5:mscatter.row.skip src=hif8[8x32] idx=i32[1x8] table=hif8[64x32]",
     "pto.target_arch = \"a5\"", "pto.target_arch = \"a3\"", "is for a5"},
    {"a5:mscatter.row.atomic_add src=f16[8x32] idx=i32[1x8] table=f16[64x32]",
     "scatter_atomic_op add", "scatter_atomic_op max", "no such atomic"},
    {"a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]", "valid_col = %c128",
     "valid_col = %c96", "256 bytes"},
};

TEST(ModuleChecker, KnowsWhatTheAssemblerRefuses) {
  for (const Undone& undone : kUndone) {
    const std::string good = module_of(undone.spec);
    ASSERT_EQ(read_module(good).problem, "") << undone.spec;
    const std::string problem = read_module(edited(good, undone.from, undone.to)).problem;
    EXPECT_NE(problem.find(undone.problem), std::string::npos) << undone.spec << "\n" << problem;
  }
}

// The kernel's own memory, gaps included, and what the launch must ask for.
TEST(Assembler, ModulesSayHowTheyAreAssembledAndLaunched) {
  const std::string small =
      module_of("a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  EXPECT_NE(small.find("ptoas --pto-arch=a5 --enable-insert-sync mscatter_row_clamp_f32.pto -o "
                       "mscatter_row_clamp_f32.cpp\n"),
            std::string::npos);
  EXPECT_NE(small.find("mscatter_row_clamp_f32<<<1, nullptr, stream>>>(src, idx, table)\n"),
            std::string::npos);
  const std::string large =
      module_of("a5:mscatter.elem src=f16[999x32|?x32] idx=i32[999x32|?x32] table=f16[256]");
  EXPECT_NE(large.find("mscatter_elem_f16<<<1, dynUBufSize, stream>>>(src, idx, table, src_vr) "
                       "with uint32_t dynUBufSize = 192000\n"),
            std::string::npos)
      << large;
}

}  // namespace
}  // namespace pto::jit::tests
