#include "jit/backends/backend.h"

#include <array>

#include "ir/parts.h"
#include "runtime/kernel_makers.h"

namespace pto::jit {
namespace {

Result<Kernel> make_interpreter(const KernelOrder& order) {
  return make_interpreter_kernel(order.plan, order.spec);
}

std::string describe_interpreter(const KernelOrder&) { return "group size 1, walk forward"; }

struct BackendRow {
  Backend backend;
  Result<Kernel> (*make)(const KernelOrder& order);
  std::string (*describe)(const KernelOrder& order);
  Result<WrittenCode> (*write)(const KernelOrder& order) = nullptr;
  std::optional<Kernel> (*shorten)(const Shortcut& shortcut) = nullptr;
};

// Best first.
constexpr std::array kBackends = {
#if defined(PTOJIT_HAS_XBYAK)
    BackendRow{Backend::Xbyak, make_xbyak_kernel, describe_xbyak, write_xbyak_code,
               make_xbyak_shortcut},
#endif
#if defined(PTOJIT_HAS_LLVM)
    BackendRow{Backend::Llvm, make_llvm_kernel, describe_llvm},
#endif
    BackendRow{Backend::Interpreter, make_interpreter, describe_interpreter},
};

const BackendRow* row_of(Backend backend) {
  if (backend == Backend::Auto) return kBackends.data();
  for (const BackendRow& row : kBackends) {
    if (row.backend == backend) return &row;
  }
  return nullptr;
}

}  // namespace

bool has_backend(Backend backend) { return row_of(backend) != nullptr; }

Backend best_backend() { return kBackends.front().backend; }

Diagnostic no_backend(Backend backend) {
  std::string there;
  for (const BackendRow& row : kBackends) {
    there += (there.empty() ? "" : ", ") + std::string(name_of(row.backend));
  }
  const Architecture here = architecture_of(host_features());
  const bool is_elsewhere = backend == Backend::Xbyak && here != Architecture::X86_64;
  return error("compile.backend",
               (is_elsewhere ? "the xbyak backend is for x86-64, and this host is " +
                                   std::string(name_of(here))
                             : "this build has no " + std::string(name_of(backend)) + " backend") +
                   "; it has " + there);
}

KernelPlan plan_of(KernelKind kind, const KernelPlan& whole) {
  switch (kind) {
    case KernelKind::Whole: return whole;
    case KernelKind::Part: return part_plan(whole);
    case KernelKind::Audit: return audit_plan(whole);
  }
  __builtin_unreachable();
}

Result<Kernel> make_kernel(Backend backend, const KernelOrder& order) {
  const BackendRow* row = row_of(backend);
  return row ? row->make(order) : Result<Kernel>(no_backend(backend));
}

std::optional<Kernel> make_shortcut(Backend backend, const Shortcut& shortcut) {
  const BackendRow* row = row_of(backend);
  return row && row->shorten ? row->shorten(shortcut) : std::nullopt;
}

Result<WrittenCode> write_code(Backend backend, const KernelOrder& order) {
  const BackendRow* row = row_of(backend);
  if (row == nullptr) return no_backend(backend);
  if (row->write) return row->write(order);
  return error("compile.notes",
               std::string(name_of(backend)) + " keeps no note of what writes its code");
}

Result<std::string> describe_strategy(Backend backend, const KernelOrder& order) {
  const BackendRow* row = row_of(backend);
  return row ? Result<std::string>(row->describe(order)) : no_backend(backend);
}

}  // namespace pto::jit
