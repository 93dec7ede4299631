// The environment's choice of a backend and of a directory for objects, in a process of its own.
#include <gtest/gtest.h>

#include "jit/backends/backend.h"
#include "tests/cli/tool_fixture.h"
#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

class LlvmEnvironment : public ToolTest {
 protected:
  // Runs one kernel in a new process; the settings stand before the command.
  style::Outcome run_with(const std::string& settings) {
    put("src", numbered(8 * 16, 4));
    put("idx", indices({3, 1, 7, 3, 90, 63, 64, 0}));
    const auto file = [&](const char* name) { return style::quoted(path(name)); };
    return style::run(settings + " " + style::quoted(tests::tool_path()) +
                      " run 'a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]'"
                      " --in src=" +
                      file("src") + " --in idx=" + file("idx") + " --out table=" + file("table"));
  }
  std::string disk() const { return " PTOJIT_DISK_CACHE=" + style::quoted(path("objects")); }
  bool has_objects() const { return names().contains("objects"); }
};

TEST_F(LlvmEnvironment, ChoosesTheBackendAndKeepsItsObjects) {
  const style::Outcome plain = run_with("PTOJIT_BACKEND=interpreter" + disk());
  ASSERT_EQ(plain.exit_code, 0) << plain.output;
  EXPECT_FALSE(has_objects()) << "the interpreter has none";
  const Bytes expected = get("table");
  for (int i = 0; i < 2; ++i) {
    const style::Outcome done = run_with("PTOJIT_BACKEND=llvm" + disk());
    ASSERT_EQ(done.exit_code, 0) << done.output;
    EXPECT_TRUE(has_objects());
    EXPECT_EQ(get("table"), expected);
  }
}

TEST_F(LlvmEnvironment, KeepsNothingUnlessADirectoryIsNamed) {
  const style::Outcome done = run_with("PTOJIT_BACKEND=llvm");
  ASSERT_EQ(done.exit_code, 0) << done.output;
  EXPECT_EQ(names(), (std::set<std::string>{"src", "idx", "table"}));
}

TEST_F(LlvmEnvironment, DumpsHoldTheIr) {
  const auto dump = [&](const std::string& backend) {
    const style::Outcome done = run_with("PTOJIT_BACKEND=" + backend +
                                         " PTOJIT_DUMP=" + style::quoted(path("dump-" + backend)));
    EXPECT_EQ(done.exit_code, 0) << done.output;
    return style::run("cat " + style::quoted(path("dump-" + backend)) + "/*").output;
  };
  const std::string ours = dump("llvm");
  EXPECT_NE(ours.find("\nllvm ir:\n"), std::string::npos) << ours;
  EXPECT_NE(ours.find("define void @kernel(ptr"), std::string::npos) << ours;
  if (!has_backend(Backend::Xbyak)) return;
  EXPECT_EQ(dump("xbyak").find("llvm ir:"), std::string::npos);
}

TEST_F(LlvmEnvironment, AnUnusableDirectoryFailsNothing) {
  const style::Outcome done =
      run_with("PTOJIT_BACKEND=llvm PTOJIT_DISK_CACHE=/proc/nowhere PTOJIT_DISK_CACHE_BYTES=1M");
  EXPECT_EQ(done.exit_code, 0) << done.output;
}

}  // namespace
}  // namespace pto::jit::tests
