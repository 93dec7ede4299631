// The forms of `ptojit emit` for devices: kernels, which can be checked, and assembly text.
#include "jit/text/emit_source.h"

#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/emit.h"
#include "jit/text/assembler/assembler_text.h"
#include "jit/text/source/kernel_text.h"
#include "targets/dialect.h"
#include "targets/profile.h"
#include "targets/source_planner.h"

namespace pto::jit::cli {
namespace {

Result<std::optional<Checked>> checked(const LegalSpec& legal, const SourcePlan& plan,
                                       const EmitOptions& options) {
  if (!options.check) return std::optional<Checked>();
  const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
  if (!bindings) return bindings.error();
  Result<Checked> done = check_kernel(legal, plan, unit_of(plan), {.bindings = *bindings});
  if (!done) return done.error();
  return std::optional(std::move(*done));
}

}  // namespace

Result<Emitted> emit_kernel_form(const LegalSpec& legal, const EmitOptions& options) {
  if (!options.placement) return options.placement.error();
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.is_expanded = *options.form == Form::Expanded,
                               .placement = *options.placement,
                               .name = options.name});
  if (!plan) return plan.error();
  if (!options.name.empty()) {
    if (const std::optional<Diagnostic> no = source::refuse_name(*plan)) return *no;
  }
  Result<std::optional<Checked>> done = checked(legal, *plan, options);
  if (!done) return done.error();
  const std::string remark = *done ? "// Checked: " + describe(**done) + ".\n" : "";
  const std::string kernel = source::kernel_text(*plan);
  const std::string launch = source::launch_text(*plan);
  return Emitted{
      .content = kernel + "\n" + launch + (remark.empty() ? "" : "\n" + remark),
      .files = {{plan->name + ".cpp", kernel},
                {plan->name + "_launch.cpp", "#include \"" + plan->name + ".cpp\"\n\n" + launch},
                {plan->name + "_flags.txt", std::string(plan->compile_flags) + "\n"}},
      .remark = remark,
      .checked = std::move(*done)};
}

Result<Emitted> emit_module_form(const LegalSpec& legal, const EmitOptions& options) {
  Result<AssemblerModule> module = assembler_module(legal, options.name);
  if (!module) return module.error();
  const std::string flags = "assemble: " + module->assemble +
                            "\ncompile: " + std::string(legal.profile().dialect.compile_flags) +
                            "\nlaunch: " + module->launch + "\n";
  return Emitted{
      .content = module->text,
      .files = {{module->name + ".pto", module->text}, {module->name + "_flags.txt", flags}}};
}

Result<Emitted> emit_line_form(const LegalSpec& legal, const EmitOptions& options) {
  if (!options.level) return options.level.error();
  if (!options.placement) return options.placement.error();
  Result<std::string> text =
      assembly_line(legal, *options.level, options.placement->value_or(Placement::Auto));
  if (!text) return text.error();
  return Emitted{.content = std::move(*text), .files = {}};
}

}  // namespace pto::jit::cli
