// From a plan to text or an object: the walks, written down and handed to LLVM.
#include "jit/backends/llvm/object.h"

#include <memory>
#include <string>

#include "ir/function_name.h"
#include "ir/walk.h"
#include "jit/backends/llvm/emitter_backward.h"

namespace pto::jit::llvm_backend {
namespace {

static_assert(MovesVectors<Emitter> && Audits<Emitter> && MovesBackward<BackwardEmitter>);

void write_kernel(const KernelPlan& plan, const Abilities& abilities, FunctionBuilder& f) {
  BackwardEmitter backward(f, plan, abilities);
  Emitter& emitter = backward;
  if (plan.audit.is_on) audit(plan, emitter);
  emitter.choices().goes_backward ? walk_backward(plan, backward) : walk(plan, emitter);
  f.finish();
}

// What `write` makes of the kernel's function.
template <class Value>
Result<Value> written(const KernelPlan& plan, const std::string& symbol, const Machine& machine,
                      Result<Value> (Machine::*write)(FunctionBuilder&) const) {
  FunctionBuilder writer(symbol, machine.target(), machine.data_layout());
  write_kernel(plan, machine.abilities(), writer);
  return (machine.*write)(writer);
}

// The same for a user, whose symbol and machine may be none.
template <class Value>
Result<Value> emitted(const KernelPlan& plan, const std::string& symbol,
                      const MachineTarget& target,
                      Result<Value> (Machine::*write)(FunctionBuilder&) const) {
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  if (!machine) return machine.error();
  if (const std::string why = reserved_name(symbol); !why.empty()) return bad_name(symbol, why);
  if ((*machine)->is_in_library(symbol))
    return bad_name(symbol, "the C library has a function of that name");
  return written(plan, symbol, **machine, write);
}

}  // namespace

Result<std::vector<std::byte>> make_object(const KernelPlan& plan, const std::string& symbol,
                                           const Machine& machine, bool follows_indices) {
  FunctionBuilder writer(symbol, machine.target(), machine.data_layout());
  Abilities abilities = machine.abilities();
  if (follows_indices) abilities.held_table = 0;
  write_kernel(plan, abilities, writer);
  return machine.object(writer);
}

int group_size(const KernelPlan& plan, const MachineTarget& target) {
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  return machine ? choose(plan, (*machine)->abilities()).group : 0;
}

Result<std::string> emit_ir(const KernelPlan& plan, const std::string& symbol,
                            const MachineTarget& target) {
  return emitted(plan, symbol, target, &Machine::text);
}

Result<std::string> emit_assembly(const KernelPlan& plan, const std::string& symbol,
                                  const MachineTarget& target) {
  return emitted(plan, symbol, target, &Machine::assembly);
}

Result<std::vector<std::byte>> emit_object(const KernelPlan& plan, const std::string& symbol,
                                           const MachineTarget& target) {
  return emitted(plan, symbol, target, &Machine::object);
}

}  // namespace pto::jit::llvm_backend
