#include "jit/backends/llvm/units.h"

#include <algorithm>

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kShortRun = 32;  // bytes
constexpr std::int64_t kAtOnce = 8;     // of a unit's short runs

}  // namespace

int Units::unrolled(const Repeat& repeat) const {
  const bool is_known = repeat.count.is_static() && repeat.table_step.is_static() &&
                        repeat.tile_step.is_static() && repeat.count.factor > 1;
  const bool is_short = plan_.unit.run.is_static() && plan_.unit.run.factor <= kShortRun;
  if (!is_known || !is_short || &repeat != &plan_.unit.inner) return 0;
  return static_cast<int>(std::min(repeat.count.factor, kAtOnce * written_out_));
}

}  // namespace pto::jit::llvm_backend
