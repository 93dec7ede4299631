// Extents for kernels that are mutated. A plan means something for any of them, also for those its
// target would refuse.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/xbyak/mutant_sample.h"

namespace pto::jit::tests {

// The grid's own first.
std::vector<KernelSpec> legal_bindings(const Sample& sample);

// Each extent and stride the kernel reads in turn through many values, the others as in one of the
// bindings.
std::vector<KernelSpec> one_extent_at_a_time(const KernelPlan& plan,
                                             const std::vector<KernelSpec>& bindings);

// The grid's own, with something left over in every loop.
KernelSpec one_less(const KernelPlan& plan, const std::vector<KernelSpec>& bindings);

// Every extent the kernel reads anything between nothing and the largest.
std::vector<KernelSpec> all_extents_at_once(const KernelPlan& plan,
                                            const std::vector<KernelSpec>& bindings,
                                            std::uint32_t seed);

}  // namespace pto::jit::tests
