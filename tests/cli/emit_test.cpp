// ptojit emit: forms, files, and the check of what is printed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

constexpr const char* kSpec = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

// $CXX for the length of a test.
class Compiler {
 public:
  explicit Compiler(const char* name) {
    const char* old = std::getenv("CXX");
    if (old != nullptr) old_ = old;
    ::setenv("CXX", name, 1);
  }
  ~Compiler() { old_.empty() ? ::unsetenv("CXX") : ::setenv("CXX", old_.c_str(), 1); }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  Compiler(Compiler&&) = delete;
  Compiler& operator=(Compiler&&) = delete;

 private:
  std::string old_;
};

class EmitTest : public ToolTest {};

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(EmitTest, PrintsAKernelByDefault) {
  const ToolRun run = tool({"emit", kSpec});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(says(run.out, "extern \"C\" __global__ AICORE void mscatter_row_clamp_f32("));
  EXPECT_TRUE(says(run.out, "TASSIGN<0x0>(srcTile);"));
  const ToolRun automatic = tool({"emit", kSpec, "--placement", "auto"});
  EXPECT_FALSE(says(automatic.out, "TASSIGN"));
  EXPECT_FALSE(says(automatic.out, "_flag("));
}

TEST_F(EmitTest, PrintsEveryForm) {
  EXPECT_TRUE(says(tool({"emit", kSpec, "--form", "pto-as"}).out, "pto.mscatter ins("));
  EXPECT_TRUE(says(tool({"emit", kSpec, "--form", "pto-line"}).out, "mscatter"));
  EXPECT_TRUE(says(tool({"emit", kSpec, "--form", "pto-line", "--level", "dps"}).out, "outs("));
  EXPECT_TRUE(says(tool({"emit", kSpec, "--form", "asm"}).out, "ret"));
}

TEST_F(EmitTest, RefusesFormsAndOptionsThereAreNot) {
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "poem"}).fails(2, {"option.form", "poem", "asm"}));
  EXPECT_TRUE(tool({"emit", kSpec, "--placement", "here"}).fails(2, {"option.placement", "auto"}));
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "pto-line", "--level", "9"})
                  .fails(2, {"option.level", "ssa"}));
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "pto-as", "--check"}).fails(2, {"option.form"}));
  EXPECT_TRUE(
      tool({"emit", kSpec, "-o", path("a"), "--out-dir", path("b")}).fails(2, {"option.out"}));
  EXPECT_TRUE(names().empty());
}

TEST_F(EmitTest, NamesAKernelAsItIsTold) {
  EXPECT_TRUE(says(tool({"emit", kSpec, "--name", "embed_8"}).out, " launch_embed_8("));
  EXPECT_TRUE(says(tool({"emit", kSpec, "--form", "pto-as", "--name", "embed_8"}).out,
                   "func.func @embed_8("));
  for (const std::string bad : {"8 rows", "while", "TLOAD", "table"})
    EXPECT_TRUE(tool({"emit", kSpec, "--name", bad}).fails(2, {"option.name", bad}));
}

TEST_F(EmitTest, SaysWhatATargetHasNoTextFor) {
  const std::string audited = "a5:mscatter.row.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const std::string simulated = "cpu:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64]";
  EXPECT_TRUE(tool({"emit", audited}).fails(1, {"source.audit"}));
  EXPECT_TRUE(tool({"emit", simulated, "--form", "expanded"}).fails(1, {"source."}));
  EXPECT_TRUE(tool({"emit", simulated, "--form", "pto-as"}).fails(1, {"source."}));
  EXPECT_TRUE(says(tool({"emit", simulated, "--check"}).out, "// Checked: compiled by "));
}

TEST_F(EmitTest, ChecksWhatItPrints) {
  const ToolRun run = tool({"emit", kSpec, "--check"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(says(run.out, "// Checked: compiled by ")) << run.out;
  EXPECT_TRUE(says(run.out, "run 3 times in the emulation"));
  const std::string runtime = "a2a3:mgather.elem dst=f16[8x32|?x?] idx=i32[8x32|?x?] table=f16[?]";
  const ToolRun bound = tool({"emit", runtime, "--check", "--bind", "dst.vr=3,table.d4=77"});
  EXPECT_TRUE(says(bound.out, "dst=f16[8x32|3x32] idx=i32[8x32|3x32] table=f16[77]")) << bound.out;
  EXPECT_TRUE(tool({"emit", runtime, "--check", "--bind", "dst.vr"}).fails(2, {"bind"}));
  const ToolRun group = tool({"emit",
                              "a5:comm.tscatter.ccu src=f32[8x8] dst=f32[4x8] stage=f32[4x8] "
                              "ranks=2 root=0",
                              "--check"});
  EXPECT_TRUE(says(group.out, "not run: the CCU is not emulated")) << group.err;
}

TEST_F(EmitTest, SaysThatThereIsNoCompiler) {
  const Compiler nowhere("no-such-compiler");
  EXPECT_TRUE(tool({"emit", kSpec, "--check"}).fails(2, {"check.compiler", "no-such-compiler"}));
}

TEST_F(EmitTest, ShowsWhatTheCompilerSays) {
  const Compiler broken("false");
  EXPECT_TRUE(tool({"emit", kSpec, "--check"}).fails(2, {"check.compile", "false"}));
}

TEST_F(EmitTest, WritesKernelLaunchAndFlags) {
  const ToolRun run = tool({"emit", kSpec, "--out-dir", path("kernels")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const std::string base = "kernels/mscatter_row_clamp_f32";
  EXPECT_TRUE(says(text_of(get(base + ".cpp")), "MSCATTER<"));
  EXPECT_TRUE(says(text_of(get(base + "_launch.cpp")), "<<<1, nullptr, stream>>>"));
  EXPECT_TRUE(says(text_of(get(base + "_flags.txt")), "--cce-aicore-arch=dav-c310-vec"));
}

TEST_F(EmitTest, WritesAModuleWithItsCommandAndItsLaunch) {
  const ToolRun run = tool({"emit", kSpec, "--form", "pto-as", "--out-dir", path("modules")});
  EXPECT_EQ(run.exit, 0) << run.err;
  const std::string base = "modules/mscatter_row_clamp_f32";
  EXPECT_TRUE(says(text_of(get(base + ".pto")), "pto.mscatter ins("));
  const std::string flags = text_of(get(base + "_flags.txt"));
  EXPECT_TRUE(says(flags, "assemble: ptoas --pto-arch=a5 --enable-insert-sync"));
  EXPECT_TRUE(says(flags, "compile: -xcce"));
  EXPECT_TRUE(says(flags, "launch: mscatter_row_clamp_f32<<<1, nullptr, stream>>>("));
}

}  // namespace
}  // namespace pto::jit::tests
