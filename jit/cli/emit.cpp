// ptojit emit: the code or text a spec becomes.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <ostream>

#include "ir/spec_text.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/cli/files.h"
#include "jit/cli/source_check.h"
#include "jit/compile.h"
#include "jit/disassembly.h"
#include "jit/emit_source.h"
#include "jit/source/kernel_text.h"
#include "targets/source_planner.h"

namespace pto::jit::cli {
namespace {

struct EmitOptions {
  std::string spec;
  std::string form = "intrinsic";
  std::string placement;
  std::string level = "sync";
  std::string features = "native";
  std::string bind;
  std::string name;    // empty: made of the mnemonic
  std::string file;    // empty: standard output
  std::string folder;  // empty: no folder
  bool check = false;
};

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array kForms = {
    Named<SourceForm>{"intrinsic", SourceForm::Intrinsic},
    Named<SourceForm>{"expanded", SourceForm::Expanded},
    Named<SourceForm>{"pto-as", SourceForm::PtoAs},
    Named<SourceForm>{"pto-line", SourceForm::PtoLine},
};
constexpr std::array kPlacements = {
    Named<Placement>{"manual", Placement::Manual},
    Named<Placement>{"auto", Placement::Auto},
};
constexpr std::array kLevels = {
    Named<LineLevel>{"sync", LineLevel::Sync},
    Named<LineLevel>{"ssa", LineLevel::Ssa},
    Named<LineLevel>{"dps", LineLevel::Dps},
};

template <class Value, std::size_t kCount>
Result<Value> value_named(std::string_view option, const std::string& name,
                          const std::array<Named<Value>, kCount>& values) {
  std::string names;
  for (const Named<Value>& value : values) {
    if (value.name == name) return value.value;
    names += (names.empty() ? "" : ", ") + std::string(value.name);
  }
  return error("option." + std::string(option),
               "'" + printable(name) + "' is no " + std::string(option) + "; there are " + names);
}

Result<std::string> emit_asm(const KernelSpec& spec, const EmitOptions& options) {
  const std::optional<FeatureLevel> level = feature_level_named(options.features);
  if (!level) {
    return error("option.features",
                 "'" + printable(options.features) +
                     "' is not a feature level; levels are native, avx512, avx2, baseline");
  }
  const Result<Kernel> kernel = compile(spec, {Backend::Xbyak, *level});
  if (!kernel) return kernel.error();
  return "; " + kernel->name() + "\n" + disassemble(kernel->code());
}

Result<SourceOptions> source_options(const EmitOptions& options) {
  SourceOptions out;
  const Result<SourceForm> form = value_named("form", options.form, kForms);
  if (!form) return form.error();
  out.form = *form;
  const Result<LineLevel> level = value_named("level", options.level, kLevels);
  if (!level) return level.error();
  out.level = *level;
  out.name = options.name;
  if (options.placement.empty()) return out;
  const Result<Placement> placement = value_named("placement", options.placement, kPlacements);
  if (!placement) return placement.error();
  out.placement = *placement;
  return out;
}

OutputFile text_file(std::string path, std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {std::move(path), {bytes, bytes + text.size()}};
}

// Kernel, launch and flags as files of a folder.
Result<Done> write_folder(const std::string& folder, const SourcePlan& plan) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return error("file.folder", "cannot make the folder " + printable(folder, 200));
  const std::string base = folder + "/" + plan.name;
  const std::array files = {
      text_file(base + ".cpp", source::kernel_text(plan)),
      text_file(base + "_launch.cpp",
                "#include \"" + plan.name + ".cpp\"\n\n" + source::launch_text(plan)),
      text_file(base + "_flags.txt", std::string(plan.compile_flags) + "\n")};
  return write_files(files);
}

// Spec and form do not go together, or the text is wrong: the input was understood.
Exit exit_of(const Diagnostics& diagnostics) {
  const auto is_broken = [](const Diagnostic& found) {
    return found.id.starts_with("source.") || found.id == "check.report" ||
           found.id == "check.result";
  };
  return std::ranges::all_of(diagnostics, is_broken) ? Exit::Broken : Exit::Unusable;
}

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

// A kernel for a device, with what can only be done to one: a check, a folder.
Result<std::string> emit_kernel(const LegalSpec& legal, const SourceOptions& source,
                                const EmitOptions& options) {
  if (!is_identifier(source.name))
    return error("option.name",
                 "'" + printable(source.name) + "' cannot be the name of a function");
  const Result<SourcePlan> plan =
      make_source_plan(legal, {.is_expanded = source.form == SourceForm::Expanded,
                               .placement = source.placement,
                               .name = source.name});
  if (!plan) return plan.error();
  std::string checked;
  if (options.check) {
    const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
    if (!bindings) return bindings.error();
    const Result<std::string> done = check_source(legal, *plan, *bindings);
    if (!done) return done.error();
    checked = "// Checked: " + *done + ".\n";
  }
  if (options.folder.empty())
    return source::kernel_text(*plan) + "\n" + source::launch_text(*plan) +
           (checked.empty() ? "" : "\n" + checked);
  if (const Result<Done> done = write_folder(options.folder, *plan); !done) return done.error();
  return checked;
}

Result<std::string> emit(const LegalSpec& legal, const EmitOptions& options) {
  if (options.form == "asm") return emit_asm(legal.spec(), options);
  const Result<SourceOptions> source = source_options(options);
  if (!source) {
    Diagnostics found = source.error();
    if (found[0].id == "option.form") found[0].message += ", asm";
    return found;
  }
  const bool is_kernel =
      source->form == SourceForm::Intrinsic || source->form == SourceForm::Expanded;
  if (is_kernel) return emit_kernel(legal, *source, options);
  if (options.check || !options.folder.empty())
    return error("option.form", "--check and --out-dir are for the forms intrinsic and expanded");
  return emit_source(legal.spec(), *source);
}

void emit_text(Session& session, const EmitOptions& options) {
  const std::optional<KernelSpec> spec = read_spec(session, options.spec);
  if (!spec) return;
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return fail(session, Exit::Broken, legal.error());
  if (!options.file.empty() && !options.folder.empty())
    return fail(session, Exit::Unusable,
                {error("option.out", "-o and --out-dir cannot be given together")});
  const Result<std::string> text = emit(*legal, options);
  if (!text) return fail(session, exit_of(text.error()), text.error(), options.bind);
  if (options.file.empty()) {
    session.out << *text;
    return;
  }
  const OutputFile file = text_file(options.file, *text);
  if (Result<Done> done = write_files({&file, 1}); !done)
    fail(session, Exit::Unusable, done.error());
}

}  // namespace

void add_emit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the code or text a spec becomes");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--form", options->form,
                      "intrinsic: a kernel for the device; expanded: written out; pto-as: a module "
                      "for its assembler; "
                      "pto-line: one line of assembly; asm: the host's machine code");
  command->add_option(
      "--placement", options->placement,
      "manual: tiles at stated offsets; auto: where the device's compiler puts them");
  command->add_option("--level", options->level, "For pto-line: sync, ssa or dps");
  command->add_option("--features", options->features, "For asm: native, avx512, avx2 or baseline");
  command->add_flag("--check", options->check,
                    "Compile the kernel on the host, run it in the emulation, compare the results");
  command->add_option("--bind", options->bind, "For --check: NAME=N,... for some '?' of the spec");
  command->add_option("--name", options->name, "Of the kernel's function, instead of its mnemonic");
  command->add_option("-o", options->file, "Write to a file, whole or not at all");
  command->add_option("--out-dir", options->folder,
                      "Write kernel, launch and compiler flags to files of this folder");
  command->callback([&session, options] { emit_text(session, *options); });
}

}  // namespace pto::jit::cli
