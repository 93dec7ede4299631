// ptojit emit: the code or text a spec becomes.
#include "jit/cli/emit.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "jit/cli/arguments.h"
#include "jit/cli/command.h"
#include "jit/cli/files.h"
#include "jit/cli/named_options.h"

namespace pto::jit::cli {
namespace {

struct FormRow {
  std::string_view name;
  Form form;
  Result<Emitted> (*emit)(const LegalSpec& legal, const EmitOptions& options);
};

// In the order of Form.
constexpr std::array kForms = {
    FormRow{"intrinsic", Form::Intrinsic, emit_kernel_form},
    FormRow{"expanded", Form::Expanded, emit_kernel_form},
    FormRow{"pto-as", Form::PtoAs, emit_assembly_form},
    FormRow{"pto-line", Form::PtoLine, emit_assembly_form},
    FormRow{"llvm-ir", Form::LlvmIr, emit_llvm_ir_form},
    FormRow{"asm", Form::Asm, emit_asm_form},
    FormRow{"obj", Form::Object, emit_object_form},
};

Result<Form> parse_form(const std::string& name) {
  std::string known;
  for (const FormRow& row : kForms) {
    if (row.name == name) return row.form;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  return error("option.form", "'" + printable(name) + "' is no form; there are " + known);
}

Result<Emitted> emit(const LegalSpec& legal, const EmitOptions& options) {
  if (!options.form) return options.form.error();
  return kForms[static_cast<std::size_t>(*options.form)].emit(legal, options);
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

Outcome written(const Emitted& made, const EmitOptions& options) {
  if (Result<Done> done = write(made, options); !done) return unusable(done.error());
  return {.output = options.directory.empty() ? "" : made.remark};
}

Outcome emit_text(const EmitOptions& options) {
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const bool to_files = !options.file.empty() || !options.directory.empty();
  if (!options.file.empty() && !options.directory.empty())
    return unusable({error("option.out", "-o and --out-dir exclude each other")});
  const Result<Emitted> made = emit(*legal, options);
  if (!made) return {exit_of(made.error()), made.error(), options.bind};
  if (to_files) return written(*made, options);
  if (made->is_text) return {.output = made->content};
  return unusable({error("option.out", "an object goes to files: -o FILE or --out-dir DIRECTORY")});
}

}  // namespace

void add_emit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  Arguments command(app, "emit", "Print the code or text a spec becomes");
  command.take_spec(options->spec);
  command.take("--form", options->form, parse_form,
               "For the device: intrinsic, a kernel around one call; expanded, written out; "
               "pto-as, a module for its assembler; pto-line, one line of assembly. For the "
               "host: asm, machine code; llvm-ir; obj, an object and its C header");
  command.take("--placement", options->placement, parse_placement,
               "manual: tiles at stated offsets; auto: where the device's compiler puts them");
  command.take("--level", options->level, parse_level, "For pto-line: sync, ssa or dps");
  command.take("--features", options->features, parse_features,
               "For the host's code: native, avx512, avx2 or baseline");
  command.take("--triple", options->triple, "For llvm-ir and obj: aarch64-linux-gnu, ...");
  command.take("--cpu", options->cpu, "For llvm-ir and obj: a processor LLVM knows");
  command.take("--check", options->check,
               "Compile the kernel on the host, run it in the emulation, compare the results");
  command.take("--bind", options->bind, "For --check: NAME=N,... for some '?' of the spec");
  command.take("--name,--symbol", options->name, "Of the function, instead of one made up");
  command.take("-o", options->file,
               "Write to a file, whole or not at all; a header goes beside it");
  command.take("--out-dir", options->directory,
               "Write to files of this folder, under names of their own");
  command.then([&session, options] { report(session, emit_text(*options)); });
}

}  // namespace pto::jit::cli
