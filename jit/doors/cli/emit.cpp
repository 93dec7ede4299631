// ptojit emit: the code or text a spec becomes.
#include "jit/doors/cli/emit.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/named_options.h"
#include "jit/files/files.h"

namespace pto::jit::cli {
namespace {

using Maker = Result<Emitted> (*)(const LegalSpec& legal, const EmitOptions& options);

// In the order of Form.
constexpr std::array<Maker, 7> kMakers = {emit_kernel_form, emit_kernel_form,  emit_module_form,
                                          emit_line_form,   emit_llvm_ir_form, emit_asm_form,
                                          emit_object_form};

// The one file, and an object's header beside it.
Result<std::vector<OutputFile>> named_files(const Emitted& made, const std::string& file) {
  const std::filesystem::path path(file);
  std::vector<OutputFile> out = {text_file(path, made.content)};
  if (made.header.empty()) return out;
  std::filesystem::path header = path;
  header.replace_extension(".h");
  if (header == path)
    return error("option.out", "'" + printable(file, 400) + "' is the name of the header");
  out.push_back(text_file(header, made.header));
  return out;
}

Result<std::vector<OutputFile>> directory_files(const Emitted& made, const std::string& directory) {
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) return error("file.folder", "cannot make the folder " + printable(directory, 200));
  std::vector<OutputFile> out;
  for (const EmittedFile& file : made.files)
    out.push_back(text_file(std::filesystem::path(directory) / file.name, file.content));
  return out;
}

// What goes to files, all of it or none.
Result<std::vector<OutputFile>> files_of(const Emitted& made, const EmitOptions& options) {
  Result<std::vector<OutputFile>> files = std::vector<OutputFile>();
  if (!options.file.empty()) files = named_files(made, options.file);
  if (!options.directory.empty()) files = directory_files(made, options.directory);
  if (files && !options.trace.empty())
    files->push_back(text_file(options.trace, trace_text(made.checked->runs)));
  return files;
}

// Spec and form do not go together, or the text is wrong: the input was understood.
Exit exit_of(const Diagnostics& diagnostics) {
  return is_about_kernel(diagnostics) ? Exit::Broken : Exit::Unusable;
}

std::string as_json(const Emitted& made, const std::vector<OutputFile>& files, bool is_printed) {
  nlohmann::json out = {{"verdict", "done"}, {"diagnostics", nlohmann::json::array()}};
  if (is_printed) out["text"] = made.content;
  for (const OutputFile& file : files) out["files"].push_back(file.path);
  if (made.checked) {
    out["checked"] = to_json(*made.checked);
  } else if (!made.remark.empty()) {
    out["remark"] = made.remark;
  }
  return printed(out);
}

Outcome deliver(const Emitted& made, const EmitOptions& options) {
  const bool is_printed = options.file.empty() && options.directory.empty();
  if (is_printed && !made.is_text)
    return unusable(
        {error("option.out", "an object goes to files: -o FILE or --out-dir DIRECTORY")});
  const Result<std::vector<OutputFile>> files = files_of(made, options);
  if (!files) return unusable(files.error());
  if (Result<Done> done = write_files(*files); !done) return unusable(done.error());
  if (options.json) return {.output = as_json(made, *files, is_printed)};
  if (is_printed) return {.output = made.content};
  const bool is_said = made.is_text && options.directory.empty();
  return {.output = is_said ? "" : made.remark};
}

// A place to write to that was given has a name.
Result<Done> check_places(const EmitOptions& options, const Arguments& given) {
  for (const auto& [name, place] :
       {std::pair("-o", &options.file), std::pair("--out-dir", &options.directory),
        std::pair("--trace", &options.trace)}) {
    if (given.has(name) && place->empty())
      return error("option.out", std::string(name) + " names nothing to write to");
  }
  return Done{};
}

Outcome emit_text(const EmitOptions& options, const Arguments& given) {
  if (!options.form) return unusable(options.form.error());
  if (const Result<Done> good = check_options(*options.form, given); !good)
    return unusable(good.error());
  if (const Result<Done> good = check_places(options, given); !good) return unusable(good.error());
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<Emitted> made = kMakers[static_cast<std::size_t>(*options.form)](*legal, options);
  if (!made) return {exit_of(made.error()), made.error(), options.bind};
  return deliver(*made, options);
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
  command.take("--placement", options->placement, parse_placement, help_of("--placement"));
  command.take("--level", options->level, parse_level, help_of("--level"));
  command.take("--features", options->features, parse_features, help_of("--features"));
  command.take("--triple", options->triple, help_of("--triple"));
  command.take("--cpu", options->cpu, help_of("--cpu"));
  command.take("--check", options->check, help_of("--check"));
  command.take("--bind", options->bind, help_of("--bind"));
  command.take("--trace", options->trace, help_of("--trace"));
  command.take("--name,--symbol", options->name, help_of("--name"));
  command.take("-o", options->file,
               "Write to a file, whole or not at all; a header goes beside it");
  command.take("--out-dir", options->directory, help_of("--out-dir"));
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options, command] {
    run_command(session, [&] { return emit_text(*options, command); }, options->json);
  });
}

}  // namespace pto::jit::cli
