// What the host makes of a kernel.
#include "jit/backend.h"
#include "jit/cli/explain/views.h"
#include "jit/cli/timing/memory_level.h"
#include "jit/compile.h"
#include "jit/watching/disassembly.h"

namespace pto::jit::cli {
namespace {

std::string bound_by(std::int64_t bytes) {
  const HostFeatures& host = host_features();
  const auto fits = [&](std::size_t level) { return static_cast<std::size_t>(bytes) <= level; };
  if (fits(host.l1d)) return "the instructions for each index: everything stays in the first cache";
  if (fits(host.l3)) return "the cache the operands come from";
  return "memory: the operands exceed the caches";
}

}  // namespace

Result<HostView> host_view(const BoundSpec& bound, const OperandStore& memory) {
  const Result<std::string> strategy = describe_strategy(bound.plan());
  if (!strategy) return strategy.error();
  HostView out{.strategy = *strategy};
  for (const OperandStore::Held& held : memory.operands())
    out.bytes += static_cast<std::int64_t>(held.bytes().size());
  out.level = level_met(static_cast<double>(out.bytes), 0, host_features());
  out.bound_by = bound_by(out.bytes);
  out.absent = "this build makes no machine code of its own to show";
  if (!has_backend(Backend::Xbyak)) return out;
  const Result<Kernel> kernel = compile(bound.legal(), {.backend = Backend::Xbyak});
  if (!kernel) return kernel.error();
  out.assembly = disassemble(kernel->code());
  out.absent = "instructions are not linked to the verbs that wrote them: the code keeps no record";
  return out;
}

}  // namespace pto::jit::cli
