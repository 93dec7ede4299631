#include "jit/text/emit_source.h"

#include "ir/flaws.h"
#include "jit/text/assembler/assembler_text.h"
#include "jit/text/source/kernel_text.h"
#include "targets/source_planner.h"

namespace pto::jit {
namespace {

Result<std::string> kernel(const LegalSpec& legal, const SourceOptions& options) {
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.is_expanded = options.form == SourceForm::Expanded,
                               .placement = options.placement,
                               .name = options.name});
  if (!plan) return plan.error();
  if (!options.name.empty()) {
    if (const std::optional<Diagnostic> no = source::refuse_name(*plan)) return *no;
  }
  return source::kernel_text(*plan) + "\n" + source::launch_text(*plan);
}

Result<std::string> module_text(const LegalSpec& legal, const std::string& name) {
  Result<AssemblerModule> module = assembler_module(legal, name);
  if (!module) return module.error();
  return std::move(module->text);
}

std::optional<Diagnostic> flaw_of(const SourceOptions& options) {
  if (auto flaw = beyond("option.form", "form", options.form, SourceForm::PtoLine)) return flaw;
  if (auto flaw = beyond("option.level", "level", options.level, LineLevel::Dps)) return flaw;
  const Placement placement = options.placement.value_or(Placement::Auto);
  return beyond("option.placement", "placement", placement, Placement::Auto);
}

}  // namespace

Result<std::string> emit_source(const KernelSpec& spec, const SourceOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (auto flaw = flaw_of(options)) return *flaw;
  switch (options.form) {
    case SourceForm::Intrinsic:
    case SourceForm::Expanded: return kernel(*legal, options);
    case SourceForm::PtoAs: return module_text(*legal, options.name);
    case SourceForm::PtoLine: break;
  }
  return assembly_line(*legal, options.level, options.placement.value_or(Placement::Auto));
}

}  // namespace pto::jit
