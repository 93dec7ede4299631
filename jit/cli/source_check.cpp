#include "jit/cli/source_check.h"

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/cli/made_up.h"
#include "jit/emulation/host_program.h"
#include "jit/emulation/operand_run.h"
#include "jit/source/kernel_text.h"

namespace pto::jit::cli {
namespace {

Result<HostProgram> build(const SourcePlan& plan) {
  const bool is_auto = plan.placement == Placement::Auto;
  return HostProgram::build({source::harness_head() + source::kernel_text(plan) +
                                 source::launch_text(plan) + source::harness_text(plan),
                             std::string(plan.host_flags) + (is_auto ? " -D__PTO_AUTO__" : "")});
}

struct CheckedText {
  const SourcePlan& plan;
  const HostProgram& program;
};

Result<Done> run_pattern(const CheckedText& text, const BoundSpec& bound, IndexPattern pattern) {
  const Result<OperandStore> memory = made_up_operands(bound, pattern);
  if (!memory) return memory.error();
  const OperandStore expected = memory->copy_for(bound.spec(), bound.plan());
  interpret(bound.plan(), expected.frame());
  const Result<std::string> reports = run_on_operands(text.program, text.plan, *memory);
  if (!reports) return reports.error();
  const std::string where = std::string(name_of(pattern)) + " indices";
  if (!reports->empty())
    return error("check.report", "the emulation reports, with " + where + ":\n" + *reports);
  if (!memory->holds_same(expected))
    return error("check.result",
                 "with " + where + " the kernel leaves other memory than the interpreter");
  return Done{};
}

std::string count_text(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

Result<std::string> check_source(const LegalSpec& legal, const SourcePlan& plan,
                                 const std::vector<Binding>& bindings) {
  const Result<BoundSpec> bound = made_up_binding(legal, bindings);
  if (!bound) return bound.error();
  const Result<HostProgram> program = build(plan);
  if (!program) return program.error();
  const std::string compiled = "compiled by " + *host_compiler() + " without a warning";
  if (plan.group && plan.group->is_triggered)
    return compiled + ", not run: the CCU is not emulated";
  const KernelPlan& meaning = bound->plan();
  const bool has_policy = meaning.oob != Oob::Undefined;
  std::size_t runs = 0;
  for (const IndexPattern pattern : kIndexPatterns) {
    if (runs > 0 && !meaning.has_index()) break;
    if (pattern == IndexPattern::Beyond && !has_policy) continue;
    if (Result<Done> done = run_pattern({plan, *program}, *bound, pattern); !done)
      return done.error();
    ++runs;
  }
  return compiled + ", run " + count_text(runs, "time") + " in the emulation as " +
         print(bound->spec()) + ": nothing reported, memory equal to the interpreter's";
}

}  // namespace pto::jit::cli
