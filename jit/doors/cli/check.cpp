// ptojit check: the verdict of a target on a spec, and that of the emulation on a kernel somebody
// wrote for it.
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "ir/spec_text.h"
#include "jit/checks/kernel_file.h"
#include "jit/checks/source_check.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"
#include "jit/doors/cli/named_options.h"
#include "jit/files/files.h"
#include "jit/text/source/kernel_text.h"
#include "targets/source_planner.h"
#include "targets/verify.h"

namespace pto::jit::cli {
namespace {

struct CheckOptions {
  std::string spec;
  std::string source;  // the file of a kernel; empty: the spec alone is checked
  std::string name;
  std::string bind;
  std::string trace;
  Names in;
  Result<std::optional<Placement>> placement = std::optional<Placement>();
  std::uint32_t seconds = CheckInputs{}.seconds;
  bool json = false;
};

// What only a kernel can be checked with.
constexpr std::array kOfSource = {"--name",      "--bind",    "--in",
                                  "--placement", "--seconds", "--trace"};

Diagnostics with_signature(Diagnostics why, const SourcePlan& plan) {
  for (Diagnostic& found : why) {
    if (found.id == "check.compile") found.rule = "the entry is " + source::signature_text(plan);
  }
  return why;
}

Result<Checked> check_file(const LegalSpec& legal, const CheckOptions& options) {
  if (!options.placement) return options.placement.error();
  const Result<KernelFile> file = read_kernel_file(options.source, options.name);
  if (!file) return file.error();
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.placement = *options.placement, .name = file->entry});
  if (!plan) return plan.error();
  const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
  if (!bindings) return bindings.error();
  const Result<OperandFiles> files =
      parse_operand_files(legal.spec(), options.in, {}, Purpose::Check);
  if (!files) return files.error();
  const Result<std::vector<OperandInput>> given = open_inputs(legal.spec(), *files);
  if (!given) return given.error();
  const CheckInputs inputs{.bindings = with_told_extents(legal, *bindings, *given),
                           .given = *given,
                           .seconds = options.seconds};
  Result<Checked> checked = check_kernel(legal, *plan, unit_of(*file, *plan), inputs);
  if (!checked) return with_signature(checked.error(), *plan);
  if (checked->runs.empty())
    return error("check.engine", "the CCU, which this kernel triggers, is not emulated");
  return checked;
}

// A kernel's trace is written only when all is well with it.
Result<Done> write_trace(const Checked& checked, const std::string& path) {
  if (path.empty()) return Done{};
  const std::vector<OutputFile> files = {text_file(path, trace_text(checked.runs))};
  return write_files(files);
}

struct Verdict {
  Outcome outcome;
  std::string word;  // in JSON
  std::optional<Checked> checked = {};
};

Verdict refusal_of(const Diagnostics& why, const CheckOptions& options) {
  constexpr std::array<const char*, 3> kWords = {"legal", "illegal", "unusable"};
  Outcome out = refused(why, options.spec, options.bind);
  if (!is_about_kernel(why)) return {out, kWords[static_cast<std::size_t>(out.exit)]};
  out.exit = Exit::Broken;
  return {out, "wrong"};
}

Verdict verdict_on(const Result<LegalSpec>& legal, const CheckOptions& options) {
  if (!legal) return refusal_of(legal.error(), options);
  if (options.source.empty()) return {{.diagnostics = notes_on(*legal)}, "legal"};
  Result<Checked> checked = check_file(*legal, options);
  if (!checked) return refusal_of(checked.error(), options);
  if (const Result<Done> written = write_trace(*checked, options.trace); !written)
    return refusal_of(written.error(), options);
  return {{.diagnostics = notes_on(*legal)}, "equal", std::move(*checked)};
}

std::string as_json(const Verdict& verdict, const Result<KernelSpec>& spec) {
  nlohmann::json out = {{"verdict", verdict.word},
                        {"diagnostics", to_json(verdict.outcome.diagnostics)}};
  if (spec) out["spec"] = print(*spec);
  if (verdict.checked) out["checked"] = to_json(*verdict.checked);
  return printed(out);
}

Outcome check(const CheckOptions& options, const Arguments& given) {
  const auto is_given = [&](const char* name) { return given.has(name); };
  if (options.seconds == 0)
    return unusable({error("option.seconds", "--seconds is at least 1, the time a run may take")});
  if (!given.has("--source") && std::ranges::any_of(kOfSource, is_given))
    return unusable({error("option.source",
                           "--name, --bind, --in, --placement, --seconds and --trace are for a "
                           "kernel's file, --source FILE")});
  const Result<KernelSpec> spec = parse(options.spec);
  const Result<LegalSpec> legal = spec ? verify(*spec) : Result<LegalSpec>(spec.error());
  Verdict verdict = verdict_on(legal, options);
  Outcome& out = verdict.outcome;
  if (options.json) {
    out.output = as_json(verdict, spec);
  } else if (out.exit == Exit::Good) {
    out.output = "legal: " + print(*spec) + "\n" + render(out.diagnostics);
    if (verdict.checked) out.output += "equal: " + describe(*verdict.checked) + "\n";
  }
  return std::move(out);
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CheckOptions>();
  Arguments command(
      app, "check",
      "Say whether the target takes a spec, by which rule not, and what it would take");
  command.take_spec(options->spec);
  command.take("--source", options->source,
               "A kernel written by hand, with the entry of the emitted one: compiled, run in the "
               "emulation, compared with what the spec means");
  command.take("--name", options->name, "Of the kernel, where its file has several");
  command.take("--bind", options->bind, "For --source: NAME=N,... for some '?' of the spec");
  command.take("--in", options->in,
               "For --source: NAME=FILE, an operand's storage; others are made up");
  command.take("--placement", options->placement, parse_placement,
               "For --source: auto, if the kernel leaves its tiles to the device's compiler");
  command.take("--seconds", options->seconds, "For --source: how long a run may take; 60");
  command.take("--trace", options->trace, "For --source: the runs as a Chrome trace, to this file");
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options, command] {
    run_command(session, [&] { return check(*options, command); }, options->json);
  });
}

}  // namespace pto::jit::cli
