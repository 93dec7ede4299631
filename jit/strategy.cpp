#include "jit/strategy.h"

namespace pto::jit {

bool indices_come_in_groups(const KernelPlan& plan) {
  if (!plan.has_index() || plan.digit_count != 1 || plan.block > 0) return false;
  const Level& innermost = plan.levels[plan.level_count - 1];
  return innermost.index_step == plan.index_size && innermost.tile_step.is_static();
}

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host) {
  Strategy out;
  out.avx2 = host.avx2 && host.f16c;
  out.avx512 = out.avx2 && host.avx512f && host.avx512bw && host.avx512dq && host.avx512vl;
  const bool is_element = plan.unit.run.is(plan.element_size) && plan.unit.inner.count.is(1);
  if (out.avx2 && indices_come_in_groups(plan)) out.group = is_element ? 8 : 4;
  return out;
}

std::string print(const Strategy& strategy) {
  const std::string level = strategy.avx512 ? "avx512" : strategy.avx2 ? "avx2" : "baseline";
  return "code for " + level + ", " + std::to_string(strategy.group) +
         (strategy.group == 1 ? " index" : " indices") + " at a time";
}

}  // namespace pto::jit
