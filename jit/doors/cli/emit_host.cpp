// The forms of `ptojit emit` for hosts: machine code as text, LLVM's IR, objects with a C header.
#include "ir/function_name.h"
#include "jit/backends/backend.h"
#include "jit/backends/watching/disassembly.h"
#include "jit/checks/host_check.h"
#include "jit/compile/compile.h"
#include "jit/compile/host_object.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/emit.h"

namespace pto::jit::cli {
namespace {

std::string symbol_of(const LegalSpec& legal, const EmitOptions& options) {
  return options.name.empty() ? host_symbol(legal.spec()) : options.name;
}

Result<ObjectOptions> object_options(const LegalSpec& legal, const EmitOptions& options) {
  if (!options.features) return options.features.error();
  return ObjectOptions{.symbol = symbol_of(legal, options),
                       .triple = options.triple,
                       .cpu = options.cpu,
                       .level = options.features->value_or(FeatureLevel::Baseline)};
}

// What a check of the code did, as a comment that begins with `mark`; empty where none is asked
// for.
Result<std::string> checked(const LegalSpec& legal, const EmitOptions& options,
                            const std::function<Result<HostCode>()>& load, const char* mark) {
  if (!options.check) return std::string();
  const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
  if (!bindings) return bindings.error();
  const Result<HostCode> code = load();
  if (!code) return code.error();
  const Result<std::string> done = check_host(legal, *code, *bindings);
  if (!done) return done.error();
  return mark + ("Checked: " + *done) + ".\n";
}

// `text`, or why there is none, with the check of the object that LLVM makes of the same function.
Result<Emitted> checked_text(const LegalSpec& legal, const EmitOptions& options,
                             const ObjectOptions& wanted, const Result<std::string>& text,
                             const char* mark) {
  if (!text) return text.error();
  const auto load = [&] { return load_object(legal.spec(), wanted); };
  const Result<std::string> remark = checked(legal, options, load, mark);
  if (!remark) return remark.error();
  const bool is_ir = *options.form == Form::LlvmIr;
  return Emitted{.content = *text + *remark,
                 .files = {{wanted.symbol + (is_ir ? ".ll" : ".s"), *text}},
                 .remark = *remark};
}

// What the library runs here, as it is.
Result<Emitted> own_asm(const LegalSpec& legal, const EmitOptions& options, Backend backend) {
  if (!options.features) return options.features.error();
  const std::string symbol = symbol_of(legal, options);
  if (const std::string why = reserved_name(symbol); !why.empty()) return bad_name(symbol, why);
  const FeatureLevel level = options.features->value_or(FeatureLevel::Native);
  const Result<Kernel> kernel = compile(legal, {.backend = backend, .level = level});
  if (!kernel) return kernel.error();
  const auto load = [&] { return Result<HostCode>(*kernel); };
  const Result<std::string> remark = checked(legal, options, load, "; ");
  if (!remark) return remark.error();
  const std::string text =
      "; " + kernel->name() + "\n" + symbol + ":\n" + disassemble(kernel->code());
  return Emitted{.content = text + *remark, .files = {{symbol + ".s", text}}, .remark = *remark};
}

}  // namespace

// Other machines than this one are LLVM's.
Result<Emitted> emit_asm_form(const LegalSpec& legal, const EmitOptions& options) {
  const bool is_here = options.triple.empty() && options.cpu.empty();
  const Backend own = best_backend();
  if (is_here && own != Backend::Interpreter) return own_asm(legal, options, own);
  const Result<ObjectOptions> wanted = object_options(legal, options);
  if (!wanted) return wanted.error();
  return checked_text(legal, options, *wanted, emit_assembly(legal.spec(), *wanted), "# ");
}

Result<Emitted> emit_llvm_ir_form(const LegalSpec& legal, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(legal, options);
  if (!wanted) return wanted.error();
  return checked_text(legal, options, *wanted, emit_llvm_ir(legal.spec(), *wanted), "; ");
}

Result<Emitted> emit_object_form(const LegalSpec& legal, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(legal, options);
  if (!wanted) return wanted.error();
  const Result<HostObject> object = emit_object(legal.spec(), *wanted);
  if (!object) return object.error();
  const auto load = [&] { return load_object(legal.spec(), *wanted); };
  Result<std::string> remark = checked(legal, options, load, "");
  if (!remark) return remark.error();
  const std::string bytes(reinterpret_cast<const char*>(object->bytes.data()),
                          object->bytes.size());
  return Emitted{.content = bytes,
                 .header = object->header,
                 .files = {{object->symbol + ".o", bytes}, {object->symbol + ".h", object->header}},
                 .remark = std::move(*remark),
                 .is_text = false};
}

}  // namespace pto::jit::cli
