// A fence in two halves that belong together: a thread that stores and then loads pays nothing, and
// the thread that must not miss that store makes the system fence every thread of the process.
#pragma once

namespace pto::jit {

// Whether the system does that (membarrier of Linux). Where it does not, whoever stores has to
// store with sequential consistency.
bool has_process_fence();

// After this, whatever other threads had stored before they loaded a value that is now out of date
// is visible here. Or false: there is no such fence, or the system refuses it by now, as it may
// once a filter of system calls is set up.
[[nodiscard]] bool fence_process();

}  // namespace pto::jit
