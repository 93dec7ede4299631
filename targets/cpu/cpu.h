// All that is known of the CPU simulator.
#pragma once

#include "targets/dialect.h"
#include "targets/profile.h"

namespace pto::jit {

extern const Profile kCpuProfile;
extern const Notes kCpuNotes;
extern const Notes kSimulatorNotes;  // on specs of any target
extern const Dialect kCpuDialect;

}  // namespace pto::jit
