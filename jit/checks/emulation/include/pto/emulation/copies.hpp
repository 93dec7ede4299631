// The copy primitives of A2/A3, at global scope like other builtins of its compiler. Lengths and
// global gaps count bytes, gaps in the buffer 32-byte blocks; padding is not emulated.
#pragma once

#include <cstdint>

#include "pto/emulation/bursts.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/pointer.hpp"

namespace pto::emulation {

inline void check_no_padding(const char* name, std::uint8_t left, std::uint8_t right) {
  if (left == 0 && right == 0) return;
  execution().report(ReportKind::NotEmulated, std::string(name) + ": padding is not emulated");
}

}  // namespace pto::emulation

#define PTO_EMULATION_COPIES(width, bytes_per_element)                                             \
  inline void copy_ubuf_to_gm_align_##width(                                                       \
      pto::emulation::GmAddress to, pto::emulation::UbAddress from, std::uint8_t /*sid*/,          \
      std::uint16_t bursts, std::uint32_t bytes, std::uint8_t left, std::uint8_t right,            \
      std::uint32_t ub_gap_blocks, std::uint32_t gm_gap_bytes) {                                   \
    pto::emulation::check_no_padding("copy_ubuf_to_gm_align_" #width, left, right);                \
    pto::emulation::store_bursts(pto::emulation::execution(), "copy_ubuf_to_gm_align_" #width,     \
                                 pto::emulation::in_gm(to.at), from.at,                            \
                                 {bursts, bytes, ub_gap_blocks, gm_gap_bytes}, bytes_per_element); \
  }                                                                                                \
  inline void copy_gm_to_ubuf_align_##width(                                                       \
      pto::emulation::UbAddress to, pto::emulation::GmAddress from, std::uint8_t /*sid*/,          \
      std::uint16_t bursts, std::uint32_t bytes, std::uint8_t left, std::uint8_t right,            \
      std::uint32_t gm_gap_bytes, std::uint32_t ub_gap_blocks) {                                   \
    pto::emulation::check_no_padding("copy_gm_to_ubuf_align_" #width, left, right);                \
    pto::emulation::load_bursts(pto::emulation::execution(), "copy_gm_to_ubuf_align_" #width,      \
                                to.at, pto::emulation::in_gm(from.at),                             \
                                {bursts, bytes, ub_gap_blocks, gm_gap_bytes});                     \
  }

PTO_EMULATION_COPIES(b8, 1)
PTO_EMULATION_COPIES(b16, 2)
PTO_EMULATION_COPIES(b32, 4)

#undef PTO_EMULATION_COPIES
