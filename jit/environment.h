// The environment variables of the library, read once. A value that cannot be understood is a
// diagnostic "env.*" that names the variable, the value and what is accepted.
//
//   PTOJIT_CACHE_ENTRIES   most kernels the cache keeps; a number of at least 1
//   PTOJIT_CACHE_BYTES     most bytes of code it keeps; a size: a number, K, M or G may follow
//   PTOJIT_ARENA_BYTES     most bytes of executable memory mapped at a time; a size
//   PTOJIT_BACKEND         auto, xbyak, llvm or interpreter, where a caller says auto
//   PTOJIT_FEATURES        native, avx512, avx2 or baseline: the most that kernels may use
//   PTOJIT_STRATEGY        how code goes about its work, as `ptojit plan --strategy` takes it
//   PTOJIT_DUMP            a directory to write each new kernel's spec, plan and code to
//   PTOJIT_DISK_CACHE      a directory to keep objects of LLVM kernels in from run to run
//   PTOJIT_DISK_CACHE_BYTES  most bytes it keeps there; a size
//   PTOJIT_PERF            1: name kernels in the map file that perf reads
//   PTOJIT_GDB             1: name kernels to debuggers through GDB's JIT interface
#pragma once

#include <cstddef>
#include <string>

#include "ir/result.h"
#include "jit/strategy_wish.h"
#include "runtime/cache/kernel_cache.h"
#include "runtime/code/code_registration.h"
#include "runtime/host/host_features.h"
#include "runtime/kernel.h"

namespace pto::jit {

struct Environment {
  CacheLimits cache;
  std::size_t arena_bytes = ArenaOptions{}.limit;
  Backend backend = Backend::Auto;
  FeatureLevel features = FeatureLevel::Native;
  StrategyWish strategy;
  std::string dump;        // empty: nothing is written
  std::string disk_cache;  // empty: nothing is kept
  std::size_t disk_cache_bytes = std::size_t{256} << 20;
  ToolOptions tools;  // profilers and debuggers told of kernels

  bool operator==(const Environment&) const = default;
};

// The value of a variable, or null; std::getenv is one such function.
using ReadVariable = const char* (*)(const char* name);

// Reports every malformed variable, not only the first.
Result<Environment> read_environment(ReadVariable read);

// That of the process, as it was in the first call.
const Result<Environment>& environment();

}  // namespace pto::jit
