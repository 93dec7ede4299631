// All that is known of A5.
#pragma once

#include "targets/dialect.h"
#include "targets/profile.h"

namespace pto::jit {

extern const Profile kA5Profile;
extern const Notes kA5Notes;
extern const Dialect kA5Dialect;

}  // namespace pto::jit
