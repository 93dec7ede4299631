// One kernel timed on memory that has been filled and with indices that differ from call to call,
// beside a copy of as many bytes through the same memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/calls/parallel/parallel.h"
#include "jit/compile/compile.h"
#include "jit/tools/bench/index_stream.h"
#include "targets/binding.h"

namespace pto::jit::cli {

struct TimingWish {
  IndexChoice indices = {};
  std::uint32_t seed = 1;
  std::uint32_t repetitions = 31;
  bool is_cold = false;  // the operands' lines leave the caches before each call
  CompileOptions compile = {};
  Parallel parallel = {};
};

// Nanoseconds a call.
struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

struct KernelTiming {
  Backend backend = Backend::Auto;
  double compile_us = 0;
  double lookup_ns = 0;
  Quartiles call = {};
  Quartiles copy = {};  // memcpy of as many bytes as a call moves

  // Of one call.
  int parts = 1;
  double indices = 0;
  double elements = 0;
  double bytes = 0;  // moved

  std::uint64_t index_sets = 0;  // 0: the kernel has no indices
  double table_bytes = 0;        // of the indexed side
  double table_met = 0;          // the share of it that the sets of indices reach
  std::string level = {};        // of the memory that was met, in words

  double bytes_per_ns() const { return call.median > 0 ? bytes / call.median : 0; }
  double copy_bytes_per_ns() const { return copy.median > 0 ? bytes / copy.median : 0; }
};

// `given` are the indices of a file, where the wish names one.
Result<KernelTiming> time_kernel(const BoundSpec& bound, const TimingWish& wish,
                                 const std::vector<std::uint32_t>& given = {});

}  // namespace pto::jit::cli
