// What CPUID does not tell and a few microseconds of measuring do: microcode has made some
// instructions far slower than their feature bit suggests.
#pragma once

#include <cstddef>

#include "runtime/host/host_features.h"

namespace pto::jit {

// Fills in what is measured: `fast_gather` and `string_from`. Well under a millisecond.
void probe(HostFeatures& host);

}  // namespace pto::jit
