#include "jit/objects/host_object.h"

#include <array>
#include <cstdio>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "jit/backend.h"
#include "jit/llvm/llvm_backend.h"
#include "jit/objects/object_file.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

#if defined(PTOJIT_HAS_LLVM)

llvm_backend::MachineTarget machine_of(const ObjectOptions& options) {
  const HostFeatures host = with_level(host_features(), options.level);
  llvm_backend::MachineTarget here = llvm_backend::host_target(best_level(host));
  if (options.triple.empty() && options.cpu.empty()) return here;
  return {options.triple.empty() ? here.triple : options.triple, options.cpu, ""};
}

std::optional<Diagnostic> flaw_of(const ObjectOptions& options) {
  return beyond("option.level", "level", options.level, FeatureLevel::Baseline);
}

std::string symbol_of(const KernelSpec& spec, const ObjectOptions& options) {
  return options.symbol.empty() ? host_symbol(spec) : options.symbol;
}

#endif

}  // namespace

std::string host_symbol(const KernelSpec& spec) {
  const std::string text = print(canonical(spec));
  std::string out = "ptojit_";
  for (const char c : text.substr(0, text.find(' '))) out += c == ':' || c == '.' ? '_' : c;
  std::array<char, 24> hash{};
  std::snprintf(hash.data(), hash.size(), "_%016llx",
                static_cast<unsigned long long>(checksum(text)));
  return out + hash.data();
}

#if defined(PTOJIT_HAS_LLVM)

Result<std::string> emit_llvm_ir(const KernelSpec& spec, const ObjectOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (auto flaw = flaw_of(options)) return *flaw;
  return llvm_backend::emit_ir(make_plan(*legal), symbol_of(spec, options), machine_of(options));
}

Result<HostObject> emit_object(const KernelSpec& spec, const ObjectOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (auto flaw = flaw_of(options)) return *flaw;
  const KernelPlan plan = make_plan(*legal);
  HostObject out{.symbol = symbol_of(spec, options), .bytes = {}, .header = {}};
  Result<std::vector<std::byte>> object =
      llvm_backend::emit_object(plan, out.symbol, machine_of(options));
  if (!object) return object.error();
  out.bytes = std::move(*object);
  out.header = llvm_backend::emit_header(plan, out.symbol, print(legal->spec()), legal->spec().op);
  return out;
}

#else

Result<std::string> emit_llvm_ir(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

Result<HostObject> emit_object(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

#endif

}  // namespace pto::jit
