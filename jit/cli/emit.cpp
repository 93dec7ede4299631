// ptojit emit: the code or text a spec becomes.
#include "jit/cli/emit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <ostream>

#include "jit/cli/command.h"
#include "jit/cli/files.h"

namespace pto::jit::cli {
namespace {

struct Form {
  std::string_view name;
  EmitForm emit;
};

constexpr std::array kForms = {
    Form{"intrinsic", emit_kernel_form}, Form{"expanded", emit_kernel_form},
    Form{"pto-as", emit_assembly_form},  Form{"pto-line", emit_assembly_form},
    Form{"llvm-ir", emit_llvm_ir_form},  Form{"asm", emit_asm_form},
    Form{"obj", emit_object_form},
};

Result<Emitted> emit(const LegalSpec& legal, const EmitOptions& options) {
  std::string known;
  for (const Form& form : kForms) {
    if (form.name == options.form) return form.emit(legal, options);
    known += (known.empty() ? "" : ", ") + std::string(form.name);
  }
  return error("option.form", "'" + printable(options.form) + "' is no form; there are " + known);
}

OutputFile output(const std::filesystem::path& path, std::string_view content) {
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  return {path.string(), {bytes, bytes + content.size()}};
}

// The one file, and an object's header beside it.
Result<std::vector<OutputFile>> named_files(const Emitted& made, const std::string& file) {
  const std::filesystem::path path(file);
  std::vector<OutputFile> out = {output(path, made.content)};
  if (made.header.empty()) return out;
  std::filesystem::path header = path;
  header.replace_extension(".h");
  if (header == path)
    return error("option.out", "'" + printable(file, 400) + "' is the name of the header");
  out.push_back(output(header, made.header));
  return out;
}

Result<std::vector<OutputFile>> directory_files(const Emitted& made, const std::string& directory) {
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) return error("file.folder", "cannot make the folder " + printable(directory, 200));
  std::vector<OutputFile> out;
  for (const EmittedFile& file : made.files)
    out.push_back(output(std::filesystem::path(directory) / file.name, file.content));
  return out;
}

Result<Done> write(const Emitted& made, const EmitOptions& options) {
  Result<std::vector<OutputFile>> files = options.directory.empty()
                                              ? named_files(made, options.file)
                                              : directory_files(made, options.directory);
  if (!files) return files.error();
  return write_files(*files);
}

// Spec and form do not go together, or the text is wrong: the input was understood.
Exit exit_of(const Diagnostics& diagnostics) {
  const auto is_broken = [](const Diagnostic& found) {
    return found.id.starts_with("source.") || found.id == "check.report" ||
           found.id == "check.result";
  };
  return std::ranges::all_of(diagnostics, is_broken) ? Exit::Broken : Exit::Unusable;
}

void emit_text(Session& session, const EmitOptions& options) {
  const std::optional<KernelSpec> spec = read_spec(session, options.spec);
  if (!spec) return;
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return fail(session, Exit::Broken, legal.error());
  const bool to_files = !options.file.empty() || !options.directory.empty();
  if (!options.file.empty() && !options.directory.empty())
    return fail(session, Exit::Unusable,
                {error("option.out", "-o and --out-dir exclude each other")});
  const Result<Emitted> made = emit(*legal, options);
  if (!made) return fail(session, exit_of(made.error()), made.error(), options.bind);
  if (!to_files && !made->is_text)
    return fail(session, Exit::Unusable,
                {error("option.out", "an object goes to files: -o FILE or --out-dir DIRECTORY")});
  if (!to_files) {
    session.out << made->content;
    return;
  }
  if (Result<Done> done = write(*made, options); !done)
    return fail(session, Exit::Unusable, done.error());
  if (!options.directory.empty()) session.out << made->remark;
}

}  // namespace

void add_emit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the code or text a spec becomes");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--form", options->form,
                      "For the device: intrinsic, a kernel around one call; expanded, written out; "
                      "pto-as, a module for its assembler; pto-line, one line of assembly. For the "
                      "host: asm, machine code; llvm-ir; obj, an object and its C header");
  command->add_option(
      "--placement", options->placement,
      "manual: tiles at stated offsets; auto: where the device's compiler puts them");
  command->add_option("--level", options->level, "For pto-line: sync, ssa or dps");
  command->add_option("--features", options->features,
                      "For the host's code: native, avx512, avx2 or baseline");
  command->add_option("--triple", options->triple, "For llvm-ir and obj: aarch64-linux-gnu, ...");
  command->add_option("--cpu", options->cpu, "For llvm-ir and obj: a processor LLVM knows");
  command->add_flag("--check", options->check,
                    "Compile the kernel on the host, run it in the emulation, compare the results");
  command->add_option("--bind", options->bind, "For --check: NAME=N,... for some '?' of the spec");
  command->add_option("--name,--symbol", options->name, "Of the function, instead of one made up");
  command->add_option("-o", options->file,
                      "Write to a file, whole or not at all; a header goes beside it");
  command->add_option("--out-dir", options->directory,
                      "Write to files of this folder, under names of their own");
  command->callback([&session, options] { emit_text(session, *options); });
}

}  // namespace pto::jit::cli
