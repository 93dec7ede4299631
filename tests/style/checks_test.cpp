// Each check, shown to fail on a wrong snippet and to pass on its right neighbour.
#include "tests/style/checks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pto::jit::style {
namespace {

SourceFile including(std::string path, const std::string& name) {
  return {std::move(path), "#include " + name + "\n"};
}

struct Arrow {
  std::string from;
  std::string include;
};

TEST(StyleChecks, ArrowsInTheTablePass) {
  const std::vector<Arrow> arrows = {
      {"ir/spec.h", "\"ir/dtype.h\""},
      {"targets/a5.cpp", "\"ir/spec.h\""},
      {"runtime/kernel.h", "\"ir/plan.h\""},
      {"jit/compile/compile.cpp", "\"targets/verify.h\""},
      {"jit/backends/llvm/a.cpp", "\"runtime/k.h\""},
      {"jit/tools/main.cpp", "\"targets/verify.h\""},
      {"tests/model/m.h", "\"ir/spec.h\""},
      {"tests/model/m.cpp", "\"tests/model/m.h\""},
      {"tests/ir/a.cpp", "\"jit/compile/compile.h\""},
      {"bench/b.cpp", "\"targets/verify.h\""},
      {"jit/checks/emulation/include/pto/a.hpp", "\"pto/b.hpp\""},
      {"tests/emulation/a.cpp", "\"pto/b.hpp\""},
      {"jit/text/source/a.cpp", "\"targets/source_plan.h\""},
      {"jit/text/assembler/a.cpp", "\"targets/verify.h\""},
      {"ir/spec.h", "<cstdint>"},
      {"runtime/arena.cpp", "<sys/mman.h>"},
  };
  for (const Arrow& arrow : arrows) {
    EXPECT_EQ(render(check_includes(including(arrow.from, arrow.include))), "");
  }
}

TEST(StyleChecks, ArrowsOutsideTheTableAreFound) {
  const std::vector<Arrow> arrows = {
      {"ir/spec.h", "\"targets/verify.h\""},
      {"targets/a5.cpp", "\"runtime/kernel.h\""},
      {"runtime/k.h", "\"targets/a5.h\""},
      {"runtime/k.h", "\"jit/compile/compile.h\""},
      {"jit/backends/xbyak/e.h", "\"targets/a5.h\""},
      {"jit/backends/llvm/e.h", "\"targets/a5.h\""},
      {"jit/text/source/e.h", "\"targets/a5.h\""},
      {"jit/compile/compile.h", "\"tests/support/s.h\""},
      {"jit/options/a.h", "\"jit/backends/backend.h\""},
      {"jit/backends/a.h", "\"jit/compile/compile.h\""},
      {"jit/compile/a.h", "\"jit/calls/checked_call.h\""},
      {"jit/text/a.h", "\"jit/compile/compile.h\""},
      {"jit/calls/a.h", "\"jit/text/emit_source.h\""},
      {"jit/files/a.h", "\"jit/calls/index_check.h\""},
      {"jit/checks/a.h", "\"jit/doors/cli/command.h\""},
      {"jit/doors/python/a.h", "\"jit/doors/cli/command.h\""},
      {"jit/doors/c/a.h", "\"jit/doors/python/array.h\""},
      {"jit/doors/cli/a.h", "\"jit/tools/tool.h\""},
      {"tests/model/m.h", "\"ir/plan.h\""},
      {"tests/model/m.h", "\"ir/spec.hpp\""},
      {"tests/model/m.h", "\"targets/a5.h\""},
      {"elsewhere/a.h", "\"ir/spec.h\""},
      {"ir/spec.h", "\"pto/b.hpp\""},
      {"tests/emulation/a.cpp", "\"ir/spec.h\""},
      {"jit/checks/emulation/include/pto/a.hpp", "\"ir/spec.h\""},
  };
  for (const Arrow& arrow : arrows) {
    EXPECT_EQ(check_includes(including(arrow.from, arrow.include)).size(), 1U)
        << arrow.from << " includes " << arrow.include;
  }
}

TEST(StyleChecks, IncludesNotWrittenFromTheRootAreFound) {
  for (const std::string name : {"\"dtype.h\"", "\"../ir/dtype.h\"", "\"ir/../ir/dtype.h\""}) {
    const Findings expected = {{"ir/spec.h", 1, name + " is not written from the root"}};
    EXPECT_EQ(check_includes(including("ir/spec.h", name)), expected);
  }
}

TEST(StyleChecks, OnlyTheStandardLibraryReachesIr) {
  for (const std::string name : {"<fcntl.h>", "<llvm/IR/Module.h>", "<nlohmann/json.hpp>"}) {
    EXPECT_EQ(check_includes(including("ir/spec.h", name)).size(), 1U) << name;
    EXPECT_EQ(check_includes(including("jit/tools/main.cpp", name)).size(), 0U) << name;
  }
}

TEST(StyleChecks, IncludesAreReadAsThePreprocessorReadsThem) {
  const std::string text =
      "// #include \"a.h\"\n"
      "  #  include <b>  // why\n"
      "const char* text = R\"x(\n#include \"c.h\"\n)x\";\n"
      "#include \"ir/d.h\"\n";
  const std::vector<Include> includes = includes_of(text);
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_EQ(includes[0].name, "b");
  EXPECT_EQ(includes[0].form, Form::Angled);
  EXPECT_EQ(includes[1].name, "ir/d.h");
  EXPECT_EQ(includes[1].line, 6U);
}

TEST(StyleChecks, AnEmitterThatReachesTargetsThroughJitIsFound) {
  std::vector<SourceFile> files = {
      including("jit/backends/xbyak/emitter.cpp", "\"jit/backends/backend.h\""),
      including("jit/backends/backend.h", "\"jit/compile/compile.h\""),
      including("jit/compile/compile.h", "\"ir/spec.h\""),
  };
  EXPECT_EQ(render(check_emitter_reach(files)), "");
  files[2] = including("jit/compile/compile.h", "\"targets/verify.h\"");
  EXPECT_EQ(render(check_emitter_reach(files)),
            "jit/backends/xbyak/emitter.cpp: an emitter reaches targets: "
            "jit/backends/xbyak/emitter.cpp -> "
            "jit/backends/backend.h -> jit/compile/compile.h -> targets/verify.h\n");
}

TEST(StyleChecks, TheDataOfASourcePlanMayBePrintedWhileItIsOnlyData) {
  std::vector<SourceFile> files = {
      including("jit/text/source/kernel_text.h", "\"targets/source_plan.h\""),
      including("targets/source_plan.h", "\"ir/spec.h\""),
  };
  EXPECT_EQ(render(check_emitter_reach(files)), "");
  files[1] = including("targets/source_plan.h", "\"targets/profile.h\"");
  EXPECT_EQ(check_emitter_reach(files).size(), 1U);
}

TEST(StyleChecks, LlvmOutsideItsFolderAndInAFifthFileIsFound) {
  std::vector<SourceFile> files;
  for (const std::string name : {"a", "b", "c", "d"}) {
    files.push_back(including("jit/backends/llvm/" + name + ".cpp", "<llvm/IR/IRBuilder.h>"));
  }
  EXPECT_EQ(render(check_llvm_spread(files)), "");
  files.push_back(including("jit/backends/llvm/e.cpp", "<llvm/IR/IRBuilder.h>"));
  EXPECT_EQ(check_llvm_spread(files).size(), 1U);
  files.back().path = "jit/compile/compile.cpp";
  EXPECT_EQ(check_llvm_spread(files).size(), 1U);
}

TEST(StyleChecks, AHeaderIsCompiledByTheSourceThatIncludesItFirst) {
  const std::string first = "#include \"ir/a.h\"\n#include \"ir/b.h\"\n";
  const auto left = [&](const std::string& source) {
    const std::vector<SourceFile> files = {{"ir/a.h", ""}, {"ir/b.h", ""}, {source, first}};
    return headers_left_to_compile(files).size();
  };
  EXPECT_EQ(left("ir/a.cpp"), 1U);
  EXPECT_EQ(left("tests/ir/a_test.cpp"), 2U);
  EXPECT_EQ(left("bench/a.cpp"), 2U);
}

TEST(StyleChecks, AHeaderWithoutItsGuardIsFound) {
  EXPECT_EQ(check_pragma_once({"ir/a.h", "// A.\n#pragma once\n"}).size(), 0U);
  EXPECT_EQ(check_pragma_once({"ir/a.h", "// A.\n// #pragma once\n"}).size(), 1U);
  EXPECT_EQ(check_pragma_once({"ir/a.h", "#ifndef A_H\n#define A_H\n#endif\n"}).size(), 1U);
}

TEST(StyleChecks, AnUnknownFolderAtTheRootIsFound) {
  const std::vector<std::string> known = {"ir", "docs", ".git", ".ci", "build", "build-asan"};
  EXPECT_EQ(render(check_top_level_folders(known)), "");
  const std::vector<std::string> unknown = {"ir", "utils"};
  EXPECT_EQ(render(check_top_level_folders(unknown)), "utils: is not a folder of this project\n");
}

TEST(StyleChecks, AnAtomicWithoutReasonOrOrderIsFound) {
  const auto found = [](const std::string& text) {
    return check_orders({"runtime/a.h", text}).size();
  };
  EXPECT_EQ(found("// Alone.\nstd::atomic<int> a{0};\n"), 0U);
  EXPECT_EQ(found("std::atomic<int> a{0};  // alone\n"), 0U);
  EXPECT_EQ(found("int b;\nstd::atomic<int> a{0};\n"), 1U);
  EXPECT_EQ(found("a.load(std::memory_order_acquire);\n"), 0U);
  EXPECT_EQ(found("a.compare_exchange_strong(b, c,\n  std::memory_order_release);\n"), 0U);
  EXPECT_EQ(found("a.store(1);\nb.load(std::memory_order_relaxed);\n"), 1U);
  EXPECT_EQ(check_orders({"tests/a.h", "a.store(1);\n"}).size(), 0U);
}

TEST(StyleChecks, PlacesAndNotesToOneselfAreFound) {
  const std::string slash = "/";
  const std::string note = std::string("TO") + "DO";
  const std::vector<std::string> wrong = {
      "see " + slash + "work/main", "cd " + slash + "root/x",
      "(" + slash + "home/me)",     "from .." + slash + "shared" + slash + "x.md",
      "// " + note + ": later",     note,
  };
  for (const std::string& line : wrong) {
    EXPECT_EQ(check_wording({"a.md", "fine\n" + line + "\n"}).size(), 1U) << line;
  }
  for (const std::string line : {"a network/home path", "MASTODON", "shared storage", "root"}) {
    EXPECT_EQ(render(check_wording({"a.md", line})), "") << line;
  }
}

}  // namespace
}  // namespace pto::jit::style
