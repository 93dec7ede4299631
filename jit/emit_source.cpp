#include "jit/emit_source.h"

#include "jit/source/assembler/assembler_text.h"
#include "jit/source/kernel_text.h"
#include "targets/source_planner.h"

namespace pto::jit {
namespace {

Result<std::string> intrinsic(const LegalSpec& legal, const SourceOptions& options) {
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.placement = options.placement, .name = options.name});
  if (!plan) return plan.error();
  return source::kernel_text(*plan) + "\n" + source::launch_text(*plan);
}

}  // namespace

Result<std::string> emit_source(const KernelSpec& spec, const SourceOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  switch (options.form) {
    case SourceForm::Intrinsic: return intrinsic(*legal, options);
    case SourceForm::PtoAs: return assembler_module(*legal);
    case SourceForm::PtoLine:
      return assembly_line(*legal, options.level, options.placement.value_or(Placement::Auto));
    case SourceForm::Expanded: break;
  }
  return error("source.expanded",
               "kernels written out in the target's primitives are not available; "
               "the intrinsic form is");
}

}  // namespace pto::jit
