#include "jit/compile/host_object.h"

#include <array>
#include <cstdio>
#include <memory>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/objects/object_file.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

#if defined(PTOJIT_HAS_LLVM)

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;
using llvm_backend::MachineTarget;

Result<MachineTarget> machine_of(const ObjectOptions& options) {
  const bool is_native = options.level == FeatureLevel::Native;
  const FeatureLevel level = is_native ? best_level(host_features()) : options.level;
  Result<MachineTarget> out = is_native && options.triple.empty()
                                  ? llvm_backend::host_target(host_features())
                                  : llvm_backend::machine_at(options.triple, level);
  if (out && !options.cpu.empty()) *out = {out->triple, options.cpu, "", 0};
  return out;
}

// All that is needed to make code.
struct Order {
  KernelSpec spec;
  KernelPlan plan;
  std::string symbol;
  MachineTarget machine;
};

Result<Order> order_of(const KernelSpec& spec, const ObjectOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (auto flaw = beyond("option.level", "level", options.level, FeatureLevel::Neon)) return *flaw;
  const Result<MachineTarget> machine = machine_of(options);
  if (!machine) return machine.error();
  const std::string symbol = options.symbol.empty() ? host_symbol(spec) : options.symbol;
  return Order{legal->spec(), make_plan(*legal), symbol, *machine};
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
  const Result<Order> order = order_of(spec, options);
  if (!order) return order.error();
  return llvm_backend::emit_ir(order->plan, order->symbol, order->machine);
}

Result<std::string> emit_assembly(const KernelSpec& spec, const ObjectOptions& options) {
  const Result<Order> order = order_of(spec, options);
  if (!order) return order.error();
  Result<std::string> text =
      llvm_backend::emit_assembly(order->plan, order->symbol, order->machine);
  if (!text) return text;
  return "# " + print(order->spec) + "\n# needs " + print(order->machine) + "\n" + *text;
}

Result<HostObject> emit_object(const KernelSpec& spec, const ObjectOptions& options) {
  const Result<Order> order = order_of(spec, options);
  if (!order) return order.error();
  Result<std::vector<std::byte>> object =
      llvm_backend::emit_object(order->plan, order->symbol, order->machine);
  if (!object) return object.error();
  const std::string title = print(order->spec) + "\n * needs " + print(order->machine);
  return HostObject{order->symbol, std::move(*object),
                    llvm_backend::emit_header(order->plan, order->symbol, title, order->spec.op)};
}

Result<std::function<void(const Frame&)>> load_object(const KernelSpec& spec,
                                                      const ObjectOptions& options) {
  const Result<Order> order = order_of(spec, options);
  if (!order) return order.error();
  const Result<LlvmJit> jit = LlvmJit::make(order->machine);
  if (!jit) return jit.error();
  if (const std::string missing = llvm_backend::missing_here(order->machine); !missing.empty())
    return error("object.host", "this host cannot run the code: it has no " + missing);
  const Result<std::vector<std::byte>> object = jit->compile(order->plan, order->symbol);
  if (!object) return object.error();
  Result<LoadedCode> code = jit->load_object(*object, order->symbol);
  if (!code) return code.error();
  return std::function<void(const Frame&)>([kept = std::make_shared<LoadedCode>(std::move(*code))](
                                               const Frame& frame) { kept->entry()(&frame); });
}

#else

Result<std::string> emit_llvm_ir(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

Result<std::string> emit_assembly(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

Result<HostObject> emit_object(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

Result<std::function<void(const Frame&)>> load_object(const KernelSpec&, const ObjectOptions&) {
  return no_backend(Backend::Llvm);
}

#endif

}  // namespace pto::jit
