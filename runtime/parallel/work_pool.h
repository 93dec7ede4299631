// Whoever runs the parts of a call at the same time: threads of the caller's, or oneTBB's where
// this library was built with it.
#pragma once

#include <functional>

#include "ir/result.h"

namespace pto::jit {

class WorkPool {
 public:
  WorkPool() = default;
  virtual ~WorkPool() = default;
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;
  WorkPool(WorkPool&&) = delete;
  WorkPool& operator=(WorkPool&&) = delete;

  // How many parts can be under way at once.
  virtual int threads() const = 0;
  // Calls `part` with every number below `parts`, on any threads and in any order, and returns when
  // all of these calls have. `part` throws nothing.
  virtual void run(int parts, const std::function<void(int)>& part) = 0;
};

// No threads but the caller's: one part after the other.
WorkPool& in_turn();

// The built-in pool with up to so many threads, the caller's among them, and no more than there are
// processors or than the system grants. In a process forked from one that has used it there are
// none left but the caller's, and parts come one after the other.
Result<WorkPool*> built_in_pool(int threads);

// How many threads this process may have running at once.
int usable_threads();

}  // namespace pto::jit
