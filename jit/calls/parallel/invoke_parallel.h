// One large call by several threads. A gather is dealt out by positions, a scatter by slots, so
// that every slot meets its writers in their order: the same memory as by one thread, to the bit.
#pragma once

#include "ir/frame.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "jit/calls/parallel/parallel.h"
#include "jit/compile/compile.h"

namespace pto::jit {

struct InvokeOptions {
  Parallel parallel = {};
  CompileOptions compile = {};
};

// As `invoke` of jit/compile/compile.h; moves that are too small to share stay with the calling
// thread.
Result<Done> invoke(const KernelSpec& spec, const Frame& frame, const InvokeOptions& options);

}  // namespace pto::jit
