// The grid: one fixed, enumerated set of specs, legal and illegal, small enough to run each of them
// many times. Every value a target's tables offer is crossed with every other of the same row;
// shapes, index dtypes and runtime dimensions are dealt in turn, so that all of them meet.
#pragma once

#include <functional>
#include <vector>

#include "ir/spec.h"

namespace pto::jit::tests {

// A spec, and values for each of its '?'. A spec that is legal only because a rule had to wait may
// come with values that break it.
struct GridCase {
  KernelSpec spec;   // canonical
  KernelSpec bound;  // no '?' left; strides are numbers wherever `spec` states them
};

// No spec comes twice; the order never changes.
void for_each_case(const std::function<void(const GridCase&)>& visit);
void for_each_spec(const std::function<void(const KernelSpec&)>& visit);

std::vector<KernelSpec> legal_grid();

// Legal specs whose values are legal too: what can be run.
std::vector<GridCase> runnable_grid();

}  // namespace pto::jit::tests
