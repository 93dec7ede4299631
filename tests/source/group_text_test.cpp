// Communication kernels are started on every rank; only the root of them deals.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/checks/emulation/host_program.h"
#include "jit/text/source/kernel_text.h"
#include "targets/source_planner.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kGroup =
    ":comm.tscatter src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=1";

SourcePlan plan_on(const std::string& target) {
  return *make_source_plan(*verify(*parse(target + std::string(kGroup))));
}

// What two ranks hold after the kernel has run on one of them.
std::vector<float> run_on(const SourcePlan& plan, const std::string& rank) {
  std::string text = source::harness_head() + source::kernel_text(plan) +
                     source::launch_text(plan) + source::harness_text(plan);
  const std::string root = "call.pointer(1), 1";
  text.replace(text.find(root), root.size(), "call.pointer(1), " + rank);
  const Result<HostProgram> program = HostProgram::build({text, std::string(plan.host_flags)});
  if (!program) ADD_FAILURE() << render(program.error());
  std::vector<float> src(64, 1.0F);
  std::vector<float> first(32);
  std::vector<float> second(32);
  const auto bytes = [](std::vector<float>& values) {
    return std::as_writable_bytes(std::span(values));
  };
  const Result<RunRecord> record = program->run({.kernel = plan.name,
                                                 .buffers = {{"src", bytes(src)},
                                                             {"dst.0", bytes(first), true},
                                                             {"dst.1", bytes(second), true}},
                                                 .extents = {}});
  EXPECT_EQ(record ? record->reports : render(record.error()), "");
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(GroupText, DealsOnTheRootAlone) {
  for (const std::string target : {"a2a3", "a5", "cpu"}) {
    const SourcePlan plan = plan_on(target);
    EXPECT_EQ(run_on(plan, "1"), std::vector<float>(64, 1.0F)) << target;
    EXPECT_EQ(run_on(plan, "0"), std::vector<float>(64, 0.0F)) << target;
  }
}

TEST(GroupText, EndsInABarrierAndAsksForStack) {
  for (const std::string target : {"a2a3", "a5"}) {
    const SourcePlan plan = plan_on(target);
    const std::string text = source::kernel_text(plan);
    EXPECT_NE(text.find("  pipe_barrier(PIPE_ALL);\n#endif\n}\n"), std::string::npos) << text;
    EXPECT_NE(plan.compile_flags.find("-mllvm -cce-aicore-stack-size=0x8000"), std::string::npos);
  }
}

}  // namespace
}  // namespace pto::jit::tests
