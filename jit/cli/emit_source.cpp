// The forms of `ptojit emit` for devices: kernels, which can be checked, and assembly text.
#include "jit/emit_source.h"

#include <algorithm>

#include "jit/cli/bind_text.h"
#include "jit/cli/emit.h"
#include "jit/cli/source_check.h"
#include "jit/source/assembler/assembler_text.h"
#include "jit/source/kernel_text.h"
#include "targets/dialect.h"
#include "targets/source_planner.h"

namespace pto::jit::cli {
namespace {

// Empty counts: the kernel then has a name of its own.
bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return name.empty() || (is_letter(name[0]) && std::ranges::all_of(name, [&](char c) {
                            return is_letter(c) || is_digit(c);
                          }));
}

// Every option is looked at, also one that the form has no use for.
Result<SourceOptions> source_options(const EmitOptions& options) {
  if (!options.level) return options.level.error();
  if (!options.placement) return options.placement.error();
  return SourceOptions{
      .placement = *options.placement, .level = *options.level, .name = options.name};
}

Result<std::string> checked(const LegalSpec& legal, const SourcePlan& plan,
                            const EmitOptions& options) {
  if (!options.check) return std::string();
  const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
  if (!bindings) return bindings.error();
  const Result<std::string> done = check_source(legal, plan, *bindings);
  if (!done) return done.error();
  return "// Checked: " + *done + ".\n";
}

Result<Emitted> emit_module(const LegalSpec& legal) {
  Result<AssemblerModule> module = assembler_module(legal);
  if (!module) return module.error();
  const std::string flags = "assemble: " + module->assemble +
                            "\ncompile: " + std::string(legal.profile().dialect.compile_flags) +
                            "\nlaunch: " + module->launch + "\n";
  return Emitted{
      .content = module->text,
      .files = {{module->name + ".pto", module->text}, {module->name + "_flags.txt", flags}}};
}

}  // namespace

Result<Emitted> emit_kernel_form(const LegalSpec& legal, const EmitOptions& options) {
  if (!is_identifier(options.name))
    return error("option.name",
                 "'" + printable(options.name) + "' cannot be the name of a function");
  const Result<SourceOptions> source = source_options(options);
  if (!source) return source.error();
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.is_expanded = *options.form == Form::Expanded,
                               .placement = source->placement,
                               .name = source->name});
  if (!plan) return plan.error();
  Result<std::string> remark = checked(legal, *plan, options);
  if (!remark) return remark.error();
  const std::string kernel = source::kernel_text(*plan);
  const std::string launch = source::launch_text(*plan);
  return Emitted{
      .content = kernel + "\n" + launch + (remark->empty() ? "" : "\n" + *remark),
      .files = {{plan->name + ".cpp", kernel},
                {plan->name + "_launch.cpp", "#include \"" + plan->name + ".cpp\"\n\n" + launch},
                {plan->name + "_flags.txt", std::string(plan->compile_flags) + "\n"}},
      .remark = std::move(*remark)};
}

Result<Emitted> emit_assembly_form(const LegalSpec& legal, const EmitOptions& options) {
  const bool is_module = *options.form == Form::PtoAs;
  if (options.check) return error("option.form", "--check is for the forms intrinsic and expanded");
  if (!is_module && !options.directory.empty())
    return error("option.form", "--out-dir is for kernels and modules, not for a line");
  Result<SourceOptions> source = source_options(options);
  if (!source) return source.error();
  if (is_module) return emit_module(legal);
  source->form = SourceForm::PtoLine;
  Result<std::string> text = emit_source(legal.spec(), *source);
  if (!text) return text.error();
  return Emitted{.content = std::move(*text), .files = {}};
}

}  // namespace pto::jit::cli
