// scatter: a root deals the rows of its source to the ranks of a group.
#pragma once

#include <span>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/calls/buffer_view.h"
#include "jit/compile/compile.h"
#include "runtime/ranks/parallel_group.h"
#include "runtime/ranks/sending.h"
#include "targets/binding.h"

namespace pto::jit {

struct ScatterOptions {
  std::span<const Binding> bindings{};  // for runtime dimensions neither source nor group tells
  CompileOptions compile = {};
  Sending sending = Sending::Measured;  // to ranks out of reach
};

// Checks everything, then writes each rank's destination by the kernel of `spec`, a communication
// TSCATTER. The source is the root's, all ranks are in reach. Nothing has been touched when it
// fails.
Result<Done> scatter(const ParallelGroup& group, const KernelSpec& spec, const BufferView& source,
                     const ScatterOptions& options = {});

}  // namespace pto::jit
