#include "ir/interpreter.h"

#include "ir/interpreter_lanes.h"
#include "ir/walk.h"

namespace pto::jit {
namespace {

static_assert(MovesVectors<Interpreter<16>> && MovesParts<Interpreter<16>> &&
              MovesBackward<Interpreter<16>> && FindsOwners<Interpreter<16>> &&
              Audits<Interpreter<16>>);

template <int kGroup>
void run(const KernelPlan& plan, const Frame& frame, WalkKind kind) {
  Interpreter<kGroup> interpreter(plan, frame);
  if (plan.audit.is_on) audit(plan, interpreter);
  switch (kind) {
    case WalkKind::Forward: return walk(plan, interpreter);
    case WalkKind::Backward: return walk_backward(plan, interpreter);
    case WalkKind::ByOwner: return walk_by_owner(plan, interpreter);
  }
}

}  // namespace

std::int64_t value_in(const Frame& frame, const Amount& amount) {
  std::int64_t value = amount.factor;
  for (std::size_t i = 0; i < amount.count; ++i) {
    const auto dim = static_cast<std::size_t>(amount.dims[i]);
    value *= dim < kDims ? frame.extents[dim] : frame.part[dim - kDims];
  }
  return value;
}

void interpret(const KernelPlan& plan, const Frame& frame, const InterpretOptions& options) {
  switch (options.group) {
    case 4: return run<4>(plan, frame, options.walk);
    case 16: return run<16>(plan, frame, options.walk);
    default: return run<1>(plan, frame, options.walk);
  }
}

AuditReport audit_indices(const KernelPlan& plan, const Frame& frame) {
  AuditReport report;
  Frame reporting = frame;
  reporting.report = &report;
  Interpreter<1> interpreter(plan, reporting);
  audit(plan, interpreter);
  return report;
}

}  // namespace pto::jit
