// Prints what runs a kernel's text on the host: a function that registers buffers with the
// emulated machine, launches the kernel and says what the machine reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "targets/source_plan.h"

namespace pto::jit::source {

// A stretch of global memory, as the compiled text takes it.
struct HostBuffer {
  const char* name;
  void* data;
  std::size_t bytes;
};

// `emulate_NAME` of a compiled kernel: its reports, one a line; valid until the thread calls
// it again.
using HostEntry = const char* (*)(const HostBuffer* buffers, std::size_t count,
                                  const std::int64_t* extents);

// Once in a translation unit, before all kernels.
std::string harness_head();

// After the kernel and its launch. Buffers come in the order of the kernel's pointers; those of
// further memory, which the kernel finds by address, follow.
std::string harness_text(const SourcePlan& plan);

}  // namespace pto::jit::source
