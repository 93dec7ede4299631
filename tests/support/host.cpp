#include "tests/support/host.h"

#include "ir/storage.h"

namespace pto::jit::tests {

std::vector<HostLevel> host_levels() {
  std::vector<HostLevel> out = {{"baseline", false, false}};
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") &&
                    __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx2) out.insert(out.begin(), {"avx2", true, false});
  if (avx512) out.insert(out.begin(), {"avx512", true, true});
#endif
  return out;
}

Image run_with_scratch(const Workload& load, Guard guard, void (*entry)(const Frame*)) {
  return run_guarded(load, guard, [&](const Frame& frame) {
    Frame full = frame;
    const std::int64_t bytes = scratch_bytes(load.plan, frame);
    const GuardedBuffer scratch(static_cast<std::size_t>(bytes), Guard::Behind);
    for (std::byte& byte : scratch.bytes()) byte = std::byte{0xa5};
    full.scratch = scratch.data();
    entry(&full);
  });
}

}  // namespace pto::jit::tests
