#include "jit/checks/emulation/operand_run.h"

namespace pto::jit {

HostCall call_on(const OperandStore& operands, const SourcePlan& plan) {
  HostCall out{.kernel = plan.name, .buffers = {}, .extents = {}};
  for (const OperandStore::Held& held : operands.operands())
    out.buffers.push_back({held.name, held.bytes(), held.operand.rank >= 0});
  for (const ExtentParameter& extent : plan.extents)
    out.extents.push_back(operands.frame().extents[static_cast<std::size_t>(extent.dim)]);
  return out;
}

}  // namespace pto::jit
