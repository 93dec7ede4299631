#include "ir/resolved.h"

#include "ir/interpreter_lanes.h"
#include "ir/walk.h"

namespace pto::jit {

std::optional<std::int64_t> resolved_slot(const KernelPlan& plan, const Frame& frame,
                                          std::uint32_t raw) {
  Interpreter<1> interpreter(plan, frame);
  const auto slot = resolve(plan, interpreter, {{raw}});
  const std::uint64_t at = slot.at.lanes[0];
  const bool is_there =
      slot.live.lanes[0] && at < static_cast<std::uint64_t>(value_in(frame, plan.capacity));
  return is_there ? std::optional(static_cast<std::int64_t>(at)) : std::nullopt;
}

}  // namespace pto::jit
