// The reference interpreter: the walks executed as they are told, one group of indices at a time.
// Every backend is measured against it.
#pragma once

#include <cstdint>

#include "ir/frame.h"
#include "ir/plan.h"

namespace pto::jit {

enum class WalkKind : std::uint8_t { Forward, Backward, ByOwner };

struct InterpretOptions {
  WalkKind walk = WalkKind::Forward;  // others only where slots_are_independent
  int group = 1;                      // 1, 4 or 16 indices at a time
};

// Does what a kernel of this plan does, the audit included.
void interpret(const KernelPlan& plan, const Frame& frame, const InterpretOptions& options = {});

// The audit of an audited plan alone: the index tile is read, nothing is moved.
AuditReport audit_indices(const KernelPlan& plan, const Frame& frame);

// The value of an amount in a frame.
std::int64_t value_in(const Frame& frame, const Amount& amount);

}  // namespace pto::jit
