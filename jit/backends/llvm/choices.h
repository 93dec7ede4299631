// How the emitter goes about a plan on a machine: speed only, never meaning.
#pragma once

#include <cstdint>

#include "ir/plan.h"
#include "jit/backends/llvm/machine.h"

namespace pto::jit::llvm_backend {

enum class Form : std::uint8_t {
  Lanes,      // unit by unit; gathered elements are put together and stored as one vector
  Spread,     // elements as vectors with the zeros that go between them
  Registers,  // elements of a table that is kept in registers
  Batches,    // 16-bit floats combined as vectors while no two meet
};

struct Choices {
  Form form = Form::Lanes;
  int group = 1;  // indices at a time, a power of two
  // Up to how many bytes the unit of an index out of range is moved to or from a scratch slot; 0:
  // none is, and a branch goes around it.
  std::int64_t scratch = 0;
  bool scans = false;  // takes indices as they are up to the first group with one to be resolved
  bool interleaves = false;     // what is spread is stored with vectors of zeros, lanes in turn
  bool finds_bytes = false;     // of a table in registers, not elements
  int gathers = 0;              // lanes that one instruction gathers; 0: each is loaded alone
  bool finds_greatest = false;  // of a group's indices, to see whether all are in range
  bool goes_backward = false;
  std::int64_t halves =
      0;                 // bytes up to which runs are copied by no more than half a line at a time
  int ahead = 0;         // indices after which a row is asked for; 0: none is
  bool streams = false;  // where the table turns out to be aligned, stores go around the caches
};

inline constexpr int kLine = 64;      // bytes, of a cache
inline constexpr int kFarAhead = 64;  // indices: rows asked for so early wait in the second cache

Choices choose(const KernelPlan& plan, const Abilities& abilities);

}  // namespace pto::jit::llvm_backend
