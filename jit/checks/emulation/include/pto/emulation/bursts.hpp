// Transfers between the unified buffer and global memory, in bursts: what the copy primitives do,
// and what the intrinsics are made of. A burst may add to global memory instead of replacing it.
#pragma once

#include <cstdint>
#include <string>

#include "pto/emulation/element.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/memory.hpp"

namespace pto::emulation {

// `count` bursts of `bytes` each. In the buffer each begins on a 32-byte block.
struct Bursts {
  std::int64_t count = 1;
  std::int64_t bytes = 0;
  std::int64_t ub_gap_blocks = 0;
  std::int64_t gm_gap_bytes = 0;

  std::int64_t ub_step() const {
    return ((bytes + kBlockBytes - 1) / kBlockBytes + ub_gap_blocks) * kBlockBytes;
  }
  std::int64_t gm_step() const { return bytes + gm_gap_bytes; }
};

inline void check_bursts(Execution& run, const char* name, std::int64_t ub, const Bursts& bursts) {
  if (ub % kBlockBytes != 0) {
    run.report(ReportKind::Misaligned,
               std::string(name) + " at UB " + hex(ub) + ": bursts begin on 32-byte boundaries");
  }
  if (bursts.count < 0 || bursts.count >= kBurstLimit) {
    run.report(ReportKind::Extent, std::string(name) + " with " + std::to_string(bursts.count) +
                                       " bursts: fewer than 4096 at a time");
  }
}

// How a store combines, or nothing to combine when its width is not the mode's.
inline Combine combine_of(Execution& run, const char* name, StoreMode mode, std::int64_t width) {
  if (!mode.adds) return Combine::Replace;
  if (mode.has_element && size_of(mode.element) == width) return Combine::Add;
  run.report(ReportKind::StoreMode, std::string(name) + " stores " + std::to_string(width) +
                                        "-byte elements, and the atomic mode is for another type");
  return Combine::Replace;
}

// One contiguous piece, by the mode the operation has read.
inline void store_piece(Execution& run, OperationId now, std::int64_t ub, Place gm,
                        std::int64_t bytes, Combine how) {
  if (how == Combine::Replace) return run.copy(now, in_ub(ub), gm, bytes);
  const Element element = run.mode().element;
  for (std::int64_t k = 0; k < bytes; k += size_of(element)) {
    const Place at = {gm.space, gm.at + static_cast<std::uint64_t>(k)};
    const std::uint32_t value = run.load(now, in_ub(ub + k), element);
    const std::uint32_t old = run.load(now, at, element);
    run.store(now, at, element, combine(element, how, old, value));
  }
}

// `width` is the size of an element in bytes.
inline void store_bursts(Execution& run, const char* name, Place gm, std::int64_t ub,
                         const Bursts& bursts, std::int64_t width) {
  check_bursts(run, name, ub, bursts);
  const OperationId now = run.operations().begin(name, PIPE_MTE3);
  const Combine how = combine_of(run, name, run.read_mode(now), width);
  for (std::int64_t k = 0; k < bursts.count; ++k) {
    const Place to = {gm.space, gm.at + static_cast<std::uint64_t>(k * bursts.gm_step())};
    store_piece(run, now, ub + k * bursts.ub_step(), to, bursts.bytes, how);
  }
}

inline void load_bursts(Execution& run, const char* name, std::int64_t ub, Place gm,
                        const Bursts& bursts) {
  check_bursts(run, name, ub, bursts);
  const OperationId now = run.operations().begin(name, PIPE_MTE2);
  for (std::int64_t k = 0; k < bursts.count; ++k) {
    const Place from = {gm.space, gm.at + static_cast<std::uint64_t>(k * bursts.gm_step())};
    run.copy(now, from, in_ub(ub + k * bursts.ub_step()), bursts.bytes);
  }
}

}  // namespace pto::emulation
