// What the device compiler provides without a header, at global scope: synchronisation, the cache,
// the store mode and, on A2/A3, the copy primitives.
#pragma once

#include <cstdint>

#include "pto/emulation/bursts.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/pipes.hpp"
#include "pto/emulation/pointer.hpp"

enum cache_line_t : std::uint8_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t : std::uint8_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t : std::uint8_t { DSB_ALL, DSB_DDR, DSB_UB };

inline void set_flag(pipe_t from, pipe_t to, event_t event) {
  pto::emulation::execution().operations().set_flag({from, to, event});
}

inline void wait_flag(pipe_t from, pipe_t to, event_t event) {
  pto::emulation::execution().operations().wait_flag({from, to, event});
}

inline void pipe_barrier(pipe_t pipe) { pto::emulation::execution().operations().barrier(pipe); }

inline void dcci(pto::emulation::GmAddress address, cache_line_t lines) {
  pto::emulation::Execution& run = pto::emulation::execution();
  const pto::emulation::OperationId now = run.operations().begin("dcci", PIPE_S);
  if (lines == ENTIRE_DATA_CACHE) {
    run.memory().clean_all(now);
  } else {
    run.memory().clean_line(now, address.at);
  }
}

// Only what goes out to memory reaches it.
inline void dcci(pto::emulation::GmAddress address, cache_line_t lines, dcci_dst_t destination) {
  if (destination == CACHELINE_ALL || destination == CACHELINE_OUT) dcci(address, lines);
}

inline void dsb(mem_dsb_t domain) {
  if (domain != DSB_UB) pto::emulation::execution().memory().drain();
}

namespace pto::emulation {

inline void set_mode_element(const char* name, Element element) {
  StoreMode mode = execution().mode();
  mode.has_element = true;
  mode.element = element;
  execution().set_mode(name, mode);
}

inline void set_mode_add() {
  StoreMode mode = execution().mode();
  mode.adds = true;
  execution().set_mode("set_atomic_add", mode);
}

}  // namespace pto::emulation

inline void set_atomic_f32() {
  pto::emulation::set_mode_element("set_atomic_f32", pto::emulation::Element::F32);
}
inline void set_atomic_f16() {
  pto::emulation::set_mode_element("set_atomic_f16", pto::emulation::Element::F16);
}
inline void set_atomic_bf16() {
  pto::emulation::set_mode_element("set_atomic_bf16", pto::emulation::Element::BF16);
}
inline void set_atomic_s32() {
  pto::emulation::set_mode_element("set_atomic_s32", pto::emulation::Element::I32);
}
inline void set_atomic_s16() {
  pto::emulation::set_mode_element("set_atomic_s16", pto::emulation::Element::I16);
}
inline void set_atomic_s8() {
  pto::emulation::set_mode_element("set_atomic_s8", pto::emulation::Element::I8);
}
inline void set_atomic_add() { pto::emulation::set_mode_add(); }
inline void set_atomic_none() { pto::emulation::execution().set_mode("set_atomic_none", {}); }
