// The feature levels code is generated for, whatever the host, and the code at each of them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "ir/plan.h"
#include "jit/backends/xbyak/notes.h"
#include "jit/backends/xbyak/strategy.h"
#include "runtime/host/host_features.h"

namespace pto::jit::tests {

inline constexpr std::array kCodeLevels = {FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512};

// A host that has the whole level and nothing above it, and what is chosen for a plan there.
HostFeatures host_with(FeatureLevel level);
Strategy strategy_at(const KernelPlan& plan, FeatureLevel level);

// A copy of the code for a plan; empty, and a test failure, when there is none. What is noted
// of it is added to `notes`.
std::vector<std::byte> assembled(const KernelPlan& plan, const Strategy& strategy,
                                 xbyak::Notes* notes = nullptr);

}  // namespace pto::jit::tests
