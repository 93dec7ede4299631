// All that is known of A2/A3.
#pragma once

#include "targets/dialect.h"
#include "targets/profile.h"

namespace pto::jit {

extern const Profile kA2A3Profile;
extern const Notes kA2A3Notes;
extern const Dialect kA2A3Dialect;

}  // namespace pto::jit
