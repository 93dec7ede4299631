// How one call may be done by several threads. Whatever is said here, it leaves the same memory.
#pragma once

#include "runtime/parallel/work_pool.h"

namespace pto::jit {

struct Parallel {
  int threads = 1;           // at most so many; 0: as many as this process may have running
  int parts = 0;             // exactly so many, if there are as many pieces; 0: as many as pay
  WorkPool* pool = nullptr;  // whose threads; null: the built-in ones

  bool operator==(const Parallel&) const = default;
};

inline constexpr int kMostThreads = 1024;
inline constexpr int kMostParts = 65536;

}  // namespace pto::jit
