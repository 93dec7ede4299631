// Text for the simulator: plain calls, nothing placed and nothing waited for.
#include "targets/cpu/cpu.h"

namespace pto::jit {

constinit const Dialect kCpuDialect = {
    .compile_flags = "-std=c++17 -O2 -D__CPU_SIM",
    .waits = [](SyncShape) { return SyncPlan{}; },
    .places_tiles = false,
    .has_policies = false,
    .gathers_elements = true,
};

}  // namespace pto::jit
