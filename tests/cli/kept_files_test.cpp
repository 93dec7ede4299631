// Files of the user's that look like the tool's own: in the folder of outputs, in TMPDIR, in the
// folders of dumps and of the disk cache. Every command leaves them as they are.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "jit/backends/backend.h"
#include "tests/cli/tool_fixture.h"
#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpec = "'a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]'";
constexpr std::array kTheirs = {".ptojit-1-0",  ".ptojit-x.bin", ".ptojit-",
                                "notes.ptojit", "ptojit-abc123", ".ptojit-notes/thesis"};

// All in one folder.
class KeptFiles : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    fs::create_directory(path(".ptojit-notes"));
    for (const char* name : kTheirs) put(name, std::string(1 << 16, 't'));
    fs::create_directory_symlink(".", path("link"));
    put("src", numbered(8 * 16, 4));
    put("idx", indices({3, 1, 7, 3, 9, 63, 64, 0}));
  }

  void run(const std::string& arguments) const {
    const style::Outcome done = style::run(
        "cd " + style::quoted(path("")) +
        " && TMPDIR=link PTOJIT_DUMP=. PTOJIT_DISK_CACHE=. PTOJIT_DISK_CACHE_BYTES=16K " +
        style::quoted(tool_path()) + " " + arguments);
    EXPECT_EQ(done.exit_code, 0) << arguments << ": " << done.output;
    for (const char* name : kTheirs) EXPECT_EQ(get(name).size(), 1U << 16) << arguments << name;
  }
};

TEST_F(KeptFiles, OutliveRuns) {
  for (const Backend backend : {Backend::Xbyak, Backend::Llvm, Backend::Interpreter}) {
    if (!has_backend(backend)) continue;
    for (const std::string policy : {"skip", "wrap", "clamp"}) {
      std::string spec = kSpec;
      spec.replace(spec.find("clamp"), 5, policy);
      run("run " + spec + " --in src=src --in idx=idx --out table=out --backend " +
          std::string(name_of(backend)));
    }
  }
}

TEST_F(KeptFiles, OutliveChecks) {
  run(std::string("emit ") + kSpec + " -o kernel.cpp --trace trace.json --check");
  run(std::string("check ") + kSpec + " --source kernel.cpp");
}

TEST_F(KeptFiles, OutliveWhateverWritesText) {
  run(std::string("emit ") + kSpec + " --out-dir .");
  run(std::string("explain ") + kSpec + " --html page.html --no-run");
}

// And so does an output of such a name.
TEST_F(KeptFiles, MayBeOutputs) {
  for (const std::string output : {".ptojit-out.bin", "out"})
    run(std::string("run ") + kSpec + " --in src=src --in idx=idx --out table=" + output);
  EXPECT_EQ(get(".ptojit-out.bin"), get("out"));
}

}  // namespace
}  // namespace pto::jit::tests
