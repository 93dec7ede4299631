// The forms of `ptojit emit` for hosts: machine code as text, LLVM's IR, objects with a C header.
#include "jit/cli/emit.h"
#include "jit/compile.h"
#include "jit/objects/host_object.h"
#include "jit/watching/disassembly.h"

namespace pto::jit::cli {
namespace {

Result<ObjectOptions> object_options(const KernelSpec& spec, const EmitOptions& options) {
  if (!options.features) return options.features.error();
  const std::string symbol = options.name.empty() ? host_symbol(spec) : options.name;
  return ObjectOptions{symbol, options.triple, options.cpu, *options.features};
}

Emitted text_named(const std::string& name, std::string text) {
  return {.content = text, .files = {{name, text}}};
}

}  // namespace

Result<Emitted> emit_asm_form(const LegalSpec& legal, const EmitOptions& options) {
  if (!options.features) return options.features.error();
  const Result<Kernel> kernel =
      compile(legal, {.backend = Backend::Xbyak, .level = *options.features});
  if (!kernel) return kernel.error();
  return text_named(host_symbol(legal.spec()) + ".s",
                    "; " + kernel->name() + "\n" + disassemble(kernel->code()));
}

Result<Emitted> emit_llvm_ir_form(const LegalSpec& legal, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(legal.spec(), options);
  if (!wanted) return wanted.error();
  Result<std::string> text = emit_llvm_ir(legal.spec(), *wanted);
  if (!text) return text.error();
  return text_named(wanted->symbol + ".ll", std::move(*text));
}

Result<Emitted> emit_object_form(const LegalSpec& legal, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(legal.spec(), options);
  if (!wanted) return wanted.error();
  Result<HostObject> object = emit_object(legal.spec(), *wanted);
  if (!object) return object.error();
  const std::string bytes(reinterpret_cast<const char*>(object->bytes.data()),
                          object->bytes.size());
  return Emitted{.content = bytes,
                 .header = object->header,
                 .files = {{object->symbol + ".o", bytes}, {object->symbol + ".h", object->header}},
                 .is_text = false};
}

}  // namespace pto::jit::cli
