// The machine that figures are taken on.
#pragma once

#include "bench/report/results.h"

namespace pto::jit::bench {

Machine this_machine();

}  // namespace pto::jit::bench
