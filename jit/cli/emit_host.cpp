// The forms of `ptojit emit` that LLVM makes: its IR, and objects with a C header.
#include "jit/cli/emit.h"
#include "jit/host_object.h"

namespace pto::jit::cli {
namespace {

Result<ObjectOptions> object_options(const KernelSpec& spec, const EmitOptions& options) {
  const Result<FeatureLevel> level = level_of(options.level);
  if (!level) return level.error();
  const std::string symbol = options.symbol.empty() ? host_symbol(spec) : options.symbol;
  return ObjectOptions{symbol, options.triple, options.cpu, *level};
}

}  // namespace

Result<Emitted> emit_llvm_ir_form(const KernelSpec& spec, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(spec, options);
  if (!wanted) return wanted.error();
  Result<std::string> text = emit_llvm_ir(spec, *wanted);
  if (!text) return text.error();
  return Emitted{.content = std::move(*text), .name = wanted->symbol + ".ll"};
}

Result<Emitted> emit_object_form(const KernelSpec& spec, const EmitOptions& options) {
  const Result<ObjectOptions> wanted = object_options(spec, options);
  if (!wanted) return wanted.error();
  Result<HostObject> object = emit_object(spec, *wanted);
  if (!object) return object.error();
  const auto* first = reinterpret_cast<const char*>(object->bytes.data());
  return Emitted{.content = {first, object->bytes.size()},
                 .header = std::move(object->header),
                 .name = object->symbol + ".o",
                 .is_text = false};
}

}  // namespace pto::jit::cli
