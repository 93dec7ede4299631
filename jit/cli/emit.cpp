// ptojit emit: the code or text a spec becomes.
#include <memory>
#include <ostream>

#include "ir/spec_text.h"
#include "jit/cli/command.h"
#include "jit/cli/files.h"
#include "jit/compile.h"
#include "jit/disassembly.h"
#include "targets/verify.h"

namespace pto::jit::cli {
namespace {

struct EmitOptions {
  std::string spec;
  std::string form = "intrinsic";
  std::string level = "native";
  std::string file;  // empty: standard output
};

Result<std::string> emit_asm(const KernelSpec& spec, const EmitOptions& options) {
  const std::optional<FeatureLevel> level = feature_level_named(options.level);
  if (!level) {
    return error("option.features",
                 "'" + printable(options.level) +
                     "' is not a feature level; levels are native, avx512, avx2, baseline");
  }
  const Result<Kernel> kernel = compile(spec, {Backend::Xbyak, *level});
  if (!kernel) return kernel.error();
  return "; " + kernel->name() + "\n" + disassemble(kernel->code());
}

Result<std::string> emit(const KernelSpec& spec, const EmitOptions& options) {
  if (options.form == "asm") return emit_asm(spec, options);
  return error("option.form",
               "form '" + printable(options.form) + "' is not available in this build; it has asm");
}

void emit_text(Session& session, const EmitOptions& options) {
  const std::optional<KernelSpec> spec = read_spec(session, options.spec);
  if (!spec) return;
  if (const Result<LegalSpec> legal = verify(*spec); !legal)
    return fail(session, Exit::Broken, legal.error());
  const Result<std::string> text = emit(*spec, options);
  if (!text) return fail(session, Exit::Unusable, text.error());
  if (options.file.empty()) {
    session.out << *text;
    return;
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(text->data());
  const OutputFile file{options.file, {bytes, bytes + text->size()}};
  if (Result<Done> done = write_files({&file, 1}); !done)
    fail(session, Exit::Unusable, done.error());
}

}  // namespace

void add_emit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the code a spec becomes");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--form", options->form, "asm: the host's machine code");
  command->add_option("--features", options->level, "For asm: native, avx512, avx2 or baseline");
  command->add_option("-o", options->file, "Write to a file, whole or not at all");
  command->callback([&session, options] { emit_text(session, *options); });
}

}  // namespace pto::jit::cli
