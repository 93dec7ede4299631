// ptojit emit: the code or text a spec becomes.
#include "jit/cli/emit.h"

#include <array>
#include <filesystem>
#include <memory>
#include <ostream>

#include "ir/spec_text.h"
#include "jit/cli/command.h"
#include "jit/cli/files.h"
#include "jit/compile.h"
#include "jit/disassembly.h"
#include "jit/host_object.h"
#include "targets/verify.h"

namespace pto::jit::cli {
namespace {

Result<Emitted> emit_asm(const KernelSpec& spec, const EmitOptions& options) {
  const Result<FeatureLevel> level = level_of(options.level);
  if (!level) return level.error();
  const Result<Kernel> kernel = compile(spec, {Backend::Xbyak, *level});
  if (!kernel) return kernel.error();
  return Emitted{.content = "; " + kernel->name() + "\n" + disassemble(kernel->code()),
                 .name = host_symbol(spec) + ".s"};
}

struct Form {
  std::string_view name;
  Result<Emitted> (*emit)(const KernelSpec& spec, const EmitOptions& options);
};

constexpr std::array kForms = {
    Form{"asm", emit_asm},
    Form{"llvm-ir", emit_llvm_ir_form},
    Form{"obj", emit_object_form},
};

Result<Emitted> emit(const KernelSpec& spec, const EmitOptions& options) {
  std::string known;
  for (const Form& form : kForms) {
    if (form.name == options.form) return form.emit(spec, options);
    known += (known.empty() ? "" : ", ") + std::string(form.name);
  }
  return error("option.form", "form '" + printable(options.form) +
                                  "' is not available in this build; it has " + known);
}

OutputFile output(const std::filesystem::path& path, const std::string& content) {
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  return {path.string(), {bytes, bytes + content.size()}};
}

// The file and, for an object, its header beside it.
Result<std::vector<OutputFile>> files_of(const Emitted& made, const EmitOptions& options) {
  if (!options.file.empty() && !options.directory.empty())
    return error("option.out", "-o and --out-dir exclude each other");
  if (options.file.empty() && options.directory.empty())
    return error("option.out", "an object goes to files: -o FILE or --out-dir DIRECTORY");
  const std::filesystem::path path = options.directory.empty()
                                         ? std::filesystem::path(options.file)
                                         : std::filesystem::path(options.directory) / made.name;
  std::vector<OutputFile> out = {output(path, made.content)};
  if (made.header.empty()) return out;
  std::filesystem::path header = path;
  header.replace_extension(".h");
  if (header == path)
    return error("option.out", "'" + printable(path.string(), 400) + "' is the name of the header");
  out.push_back(output(header, made.header));
  return out;
}

void emit_text(Session& session, const EmitOptions& options) {
  const std::optional<KernelSpec> spec = read_spec(session, options.spec);
  if (!spec) return;
  if (const Result<LegalSpec> legal = verify(*spec); !legal)
    return fail(session, Exit::Broken, legal.error());
  const Result<Emitted> made = emit(*spec, options);
  if (!made) return fail(session, Exit::Unusable, made.error());
  const bool to_files = !options.file.empty() || !options.directory.empty();
  if (!to_files && made->is_text) {
    session.out << made->content;
    return;
  }
  const Result<std::vector<OutputFile>> files = files_of(*made, options);
  if (!files) return fail(session, Exit::Unusable, files.error());
  if (Result<Done> done = write_files(*files); !done) fail(session, Exit::Unusable, done.error());
}

}  // namespace

Result<FeatureLevel> level_of(const std::string& name) {
  if (const std::optional<FeatureLevel> level = feature_level_named(name)) return *level;
  return error("option.features",
               "'" + printable(name) +
                   "' is not a feature level; levels are native, avx512, avx2, baseline");
}

void add_emit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the code a spec becomes");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--form", options->form,
                      "asm: the host's machine code; llvm-ir; obj: an object and its C header");
  command->add_option("--features", options->level,
                      "For the host's code: native, avx512, avx2 or baseline");
  command->add_option("--triple", options->triple, "For llvm-ir and obj: aarch64-linux-gnu, ...");
  command->add_option("--cpu", options->cpu, "For llvm-ir and obj: a processor LLVM knows");
  command->add_option("--symbol", options->symbol, "For llvm-ir and obj: the function's name");
  command->add_option("-o", options->file,
                      "Write to a file, whole or not at all; a header goes beside it");
  command->add_option("--out-dir", options->directory, "Write into a directory, under own names");
  command->callback([&session, options] { emit_text(session, *options); });
}

}  // namespace pto::jit::cli
