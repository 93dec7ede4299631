// Strategy: how this host does a plan fast. Never what it means.
#pragma once

#include <string>

#include "ir/plan.h"
#include "runtime/host_features.h"

namespace pto::jit {

struct Strategy {
  bool avx2 = false;  // with F16C
  bool avx512 = false;
  int group = 1;  // indices taken at once: 1, 4 or 8

  bool operator==(const Strategy&) const = default;
};

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host);

// Whether the walk's innermost loop reads neighbouring indices and fills evenly spaced places, so
// that several can be taken at once.
bool indices_come_in_groups(const KernelPlan& plan);

// One line, as `ptojit plan` shows it.
std::string print(const Strategy& strategy);

}  // namespace pto::jit
