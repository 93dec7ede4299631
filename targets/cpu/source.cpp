// Text for the simulator: plain calls on tiles in its 512 KB, nothing waited for.
#include "targets/cpu/cpu.h"

namespace pto::jit {

constinit const Dialect kCpuDialect = {
    .compile_flags = "-std=c++20 -O2 -D__CPU_SIM",
    .host_flags = "-D__CPU_SIM",
    .waits = [](SyncShape) { return SyncPlan{}; },
    .is_launched = false,
    .placed_bytes = 512 * 1024,
    .has_policies = false,
    .pairs_tile_extents = true,
};

}  // namespace pto::jit
