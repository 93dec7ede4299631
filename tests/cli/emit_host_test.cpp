// ptojit emit for hosts: LLVM's IR, objects with their headers, and what is asked of files.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/tool_fixture.h"
#include "tests/style/tree.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

class EmitCommand : public ToolTest {
 protected:
  std::string text_of(const std::string& name) const {
    const Bytes bytes = get(name);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

const std::string kSpec = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[?x32]";

TEST_F(EmitCommand, PrintsLlvmIr) {
  PTOJIT_NEEDS(Backend::Llvm);
  const ToolRun done = tool({"emit", kSpec, "--form", "llvm-ir", "--symbol", "my_kernel"});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_NE(done.out.find("define void @my_kernel(ptr"), std::string::npos) << done.out;
}

TEST_F(EmitCommand, PutsAHeaderBesideAnObject) {
  PTOJIT_NEEDS(Backend::Llvm);
  const ToolRun done =
      tool({"emit", kSpec, "--form", "obj", "--triple", "aarch64-linux-gnu", "-o", path("k.o")});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(names(), (std::set<std::string>{"k.o", "k.h"}));
  EXPECT_TRUE(
      text_of("k.o").starts_with("\x7f"
                                 "ELF"));
  EXPECT_NE(text_of("k.h").find(kSpec), std::string::npos);
  EXPECT_NE(text_of("k.h").find("extents[9]  table.d3"), std::string::npos);
}

TEST_F(EmitCommand, PrintsAssemblyForOtherMachines) {
  PTOJIT_NEEDS(Backend::Llvm);
  const ToolRun arm = tool(
      {"emit", kSpec, "--form", "asm", "--triple", "aarch64-linux-gnu", "--name", "my_kernel"});
  EXPECT_EQ(arm.exit, 0) << arm.err;
  EXPECT_NE(arm.out.find("# needs aarch64-linux-gnu, processor generic"), std::string::npos);
  EXPECT_NE(arm.out.find("\nmy_kernel:"), std::string::npos) << arm.out;
  EXPECT_NE(arm.out.find("ldr\tx"), std::string::npos) << arm.out;
}

// What a level is called, not what this host has, decides about the code.
TEST_F(EmitCommand, MakesObjectsForTheLevelAskedForOrTheBaseline) {
  PTOJIT_NEEDS(Backend::Llvm);
  const auto object = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"emit", kSpec, "--form", "obj", "-o", path("k.o")};
    all.insert(all.end(), {"--triple", "x86_64-linux-gnu"});
    all.insert(all.end(), more.begin(), more.end());
    const ToolRun done = tool(all);
    EXPECT_EQ(done.exit, 0) << done.err;
    return text_of("k.h") + text_of("k.o");
  };
  const std::string plain = object({});
  EXPECT_NE(plain.find(" * needs x86_64-linux-gnu, processor x86-64 */"), std::string::npos);
  EXPECT_EQ(plain, object({"--features", "baseline"}));
  const std::string wide = object({"--features", "avx512"});
  EXPECT_NE(wide.find("+avx512f"), std::string::npos);
  EXPECT_NE(wide, object({"--features", "avx2"}));
  EXPECT_NE(object({"--cpu", "znver4"}).find(", processor znver4 */"), std::string::npos);
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "obj", "-o", path("a.o"), "--triple",
                    "aarch64-linux-gnu", "--features", "avx2"})
                  .fails(2, {"avx2 is a level of x86-64"}));
}

TEST_F(EmitCommand, NamesFilesInADirectoryAfterTheSymbol) {
  PTOJIT_NEEDS(Backend::Llvm);
  EXPECT_EQ(tool({"emit", kSpec, "--form", "obj", "--out-dir", path("")}).exit, 0);
  const std::set<std::string> made = names();
  ASSERT_EQ(made.size(), 2u);
  const std::string& header = *made.begin();
  EXPECT_TRUE(header.starts_with("ptojit_a5_mscatter_row_clamp_")) << header;
  EXPECT_TRUE(header.ends_with(".h"));
  const std::string symbol = header.substr(0, header.size() - 2);
  EXPECT_TRUE(made.contains(symbol + ".o"));
  EXPECT_NE(text_of(header).find("void " + symbol + "(const struct ptojit_frame"),
            std::string::npos);
}

// The object, its header and a program that uses both.
TEST_F(EmitCommand, ObjectsLinkWithAProgramInC) {
  PTOJIT_NEEDS(Backend::Llvm);
  ASSERT_EQ(tool({"emit", kSpec, "--form", "obj", "--features", "baseline", "--symbol", "scatter",
                  "-o", path("scatter.o")})
                .exit,
            0);
  put("main.c", R"(#include "scatter.h"
int main(void) {
  static float src[8][32], table[4][32];
  const uint32_t idx[8] = {0, 1, 2, 9, 0, 0, 0, 0};
  struct ptojit_frame frame = {.tile = src, .index = idx, .table = table};
  frame.extents[9] = 4;
  src[3][5] = 7;
  src[7][0] = 5;
  scatter(&frame);
  return table[3][5] == 7 && table[0][0] == 5 && table[1][0] == 0 ? 0 : 1;
}
)");
  const style::Outcome built = style::run("cd " + style::quoted(path("")) +
                                          " && cc -std=c11 -Wall -Wextra -Werror main.c "
                                          "scatter.o -o main && ./main");
  EXPECT_EQ(built.exit_code, 0) << built.output;
}

TEST_F(EmitCommand, RefusesWhatCannotBe) {
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "wasm"}).fails(2, {"'wasm'", "llvm-ir, asm, obj"}));
  PTOJIT_NEEDS(Backend::Llvm);
  const std::vector<std::string> object = {"emit", kSpec, "--form", "obj"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), object.begin(), object.end());
    return tool(more);
  };
  EXPECT_TRUE(with({}).fails(2, {"-o FILE"}));
  EXPECT_TRUE(with({"-o", path("k.h")}).fails(2, {"the header"}));
  EXPECT_TRUE(with({"-o", path("k.o"), "--out-dir", path("")}).fails(2, {"exclude"}));
  EXPECT_TRUE(with({"-o", path("k.o"), "--triple", "pdp11-unix"}).fails(2, {"pdp11"}));
  EXPECT_TRUE(with({"-o", path("k.o"), "--cpu", "z80"}).fails(2, {"'z80'"}));
  for (const std::string bad : {"a b", "while", "main", "memcpy", "printf"})
    EXPECT_TRUE(with({"-o", path("k.o"), "--symbol", bad}).fails(2, {"option.name", bad}));
  EXPECT_TRUE(with({"-o", path("k.o"), "--features", "sse9"}).fails(2, {"'sse9'"}));
  EXPECT_TRUE(with({"-o", path("none/k.o")}).fails(2, {"none"}));
  EXPECT_EQ(names().size(), 0u) << "nothing was written";
}

}  // namespace
}  // namespace pto::jit::tests
