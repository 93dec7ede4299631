// From a plan to text or an object: the walks, written down and handed to LLVM.
#include "jit/llvm/object.h"

#include "ir/walk.h"
#include "jit/llvm/emitter.h"

namespace pto::jit::llvm_backend {
namespace {

static_assert(MovesVectors<Emitter> && Audits<Emitter>);

bool is_identifier(const std::string& symbol) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (symbol.empty() || !is_letter(symbol.front())) return false;
  for (const char c : symbol) {
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

Diagnostic not_an_identifier(const std::string& symbol) {
  return error("llvm.symbol", "'" + printable(symbol) + "' is not an identifier of C");
}

void write_kernel(const KernelPlan& plan, const Machine& machine, FunctionBuilder& f) {
  Emitter emitter(f, plan, machine.abilities());
  if (plan.audit.is_on) audit(plan, emitter);
  walk(plan, emitter);
  f.finish();
}

}  // namespace

Result<std::vector<std::byte>> make_object(const KernelPlan& plan, const std::string& symbol,
                                           const Machine& machine) {
  if (!is_identifier(symbol)) return not_an_identifier(symbol);
  FunctionBuilder writer(symbol, machine.target(), machine.data_layout());
  write_kernel(plan, machine, writer);
  return machine.object(writer);
}

Result<std::string> emit_ir(const KernelPlan& plan, const std::string& symbol,
                            const MachineTarget& target) {
  if (!is_identifier(symbol)) return not_an_identifier(symbol);
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  if (!machine) return machine.error();
  FunctionBuilder writer(symbol, (*machine)->target(), (*machine)->data_layout());
  write_kernel(plan, **machine, writer);
  return (*machine)->text(writer);
}

Result<std::vector<std::byte>> emit_object(const KernelPlan& plan, const std::string& symbol,
                                           const MachineTarget& target) {
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  if (!machine) return machine.error();
  return make_object(plan, symbol, **machine);
}

}  // namespace pto::jit::llvm_backend
