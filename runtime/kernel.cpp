#include "runtime/kernel.h"

#include <array>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "runtime/code/granules.h"
#include "runtime/kernel_makers.h"

namespace pto::jit {
namespace {

struct BackendName {
  Backend backend;
  std::string_view name;
};

constexpr std::array kBackends = {
    BackendName{Backend::Auto, "auto"},
    BackendName{Backend::Xbyak, "xbyak"},
    BackendName{Backend::Llvm, "llvm"},
    BackendName{Backend::Interpreter, "interpreter"},
};

void run_plan(const Frame* frame, const void* context) {
  interpret(*static_cast<const KernelPlan*>(context), *frame);
}

class InterpreterBody final : public KernelBody {
 public:
  InterpreterBody(const KernelPlan& plan, KernelName name)
      : KernelBody({.entry = run_plan,
                    .context = &plan_,
                    .backend = Backend::Interpreter,
                    .footprint = sizeof(InterpreterBody),
                    .name = std::move(name)}),
        plan_(plan) {}

 private:
  KernelPlan plan_;
};

class CodeBody final : public KernelBody {
 public:
  CodeBody(CodeBlock code, Backend backend, KernelName name, CodeRegistration known_as)
      : KernelBody({.entry = reinterpret_cast<KernelEntry>(const_cast<std::byte*>(code.entry())),
                    .backend = backend,
                    .code = code.bytes(),
                    .footprint = granules_of(code.size()) * kGranule,
                    .name = std::move(name)}),
        code_(std::move(code)),
        known_as_(std::move(known_as)) {}

 private:
  CodeBlock code_;
  CodeRegistration known_as_;  // goes before the code does
};

}  // namespace

std::string_view name_of(Backend backend) {
  static constexpr BackendName kNone = {Backend::Auto, "nothing"};
  return row_of(kBackends, backend, kNone).name;
}

std::optional<Backend> backend_named(std::string_view name) {
  for (const BackendName& row : kBackends) {
    if (row.name == name) return row.backend;
  }
  return std::nullopt;
}

std::string KernelName::text() const {
  if (const auto* text = std::get_if<std::string>(&name_)) return *text;
  return print(*std::get_if<KernelSpec>(&name_));
}

Kernel make_interpreter_kernel(const KernelPlan& plan, KernelName name) {
  return Kernel(std::make_unique<InterpreterBody>(plan, std::move(name)));
}

Kernel make_code_kernel(CodeBlock code, Backend backend, KernelName name,
                        CodeRegistration known_as) {
  return Kernel(
      std::make_unique<CodeBody>(std::move(code), backend, std::move(name), std::move(known_as)));
}

}  // namespace pto::jit
