// emit --check for hosts: the code is run and compared, and what cannot be run is said.
#include "jit/checks/host_check.h"

#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

const std::string kSpec = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[?x32]";
const std::string kAudited = "a5:mscatter.elem.audit src=i32[4x8] idx=u32[4x8] table=i32[64]";

class HostCheck : public ToolTest {
 protected:
  static LegalSpec legal(const std::string& text) { return *verify(*parse(text)); }
};

TEST_F(HostCheck, RunsEveryFormForHosts) {
  PTOJIT_NEEDS(Backend::Llvm);
  for (const std::string form : {"asm", "llvm-ir"}) {
    for (const std::string& spec : {kSpec, kAudited}) {
      const ToolRun done = tool({"emit", spec, "--form", form, "--check"});
      EXPECT_EQ(done.exit, 0) << done.err;
      EXPECT_NE(done.out.find("Checked: run 3 times on this host as a5:"), std::string::npos)
          << done.out;
    }
  }
  const ToolRun object = tool({"emit", kSpec, "--form", "obj", "--check", "-o", path("k.o")});
  EXPECT_EQ(object.out,
            "Checked: run 3 times on this host as a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] "
            "table=f32[16x32]: memory equal to the interpreter's.\n");
}

TEST_F(HostCheck, SaysWhatThisHostCannotRun) {
  PTOJIT_NEEDS(Backend::Llvm);
  const bool is_x86 = has_backend(Backend::Xbyak);
  const std::string foreign = is_x86 ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  const auto check = [&](const std::string& option, const std::string& value) {
    return tool({"emit", kSpec, "--form", "llvm-ir", "--check", option, value});
  };
  EXPECT_TRUE(check("--triple", foreign).fails(2, {"llvm.target", "cannot run"}));
  if (is_x86) {
    EXPECT_TRUE(check("--cpu", "bdver1").fails(2, {"object.host", "xop"}));
  }
}

TEST_F(HostCheck, FindsCodeThatIsWrong) {
  const LegalSpec spec = legal(kSpec);
  const Result<std::string> idle = cli::check_host(spec, [](const Frame&) {}, {});
  ASSERT_FALSE(idle);
  EXPECT_EQ(idle.error().front().id, "check.result");
  const KernelPlan plan = make_plan(spec);
  EXPECT_TRUE(cli::check_host(spec, [&](const Frame& frame) { interpret(plan, frame); }, {}));
}

TEST_F(HostCheck, FindsAWrongReport) {
  const LegalSpec spec = legal(kAudited);
  const KernelPlan plan = make_plan(spec);
  const auto miscounts = [&](const Frame& frame) {
    interpret(plan, frame);
    ++frame.report->collisions;
  };
  EXPECT_FALSE(cli::check_host(spec, miscounts, {}));
}

}  // namespace
}  // namespace pto::jit::tests
