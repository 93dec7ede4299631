// Which target this translation unit is compiled for, chosen by the macros that the device builds
// use; with neither, and on the host, it is the simulator. What depends on it lives in an inline
// namespace of its own, so that units for different targets can be linked together.
#pragma once

#include "pto/emulation/device.hpp"

#if defined(MEMORY_BASE) && defined(REGISTER_BASE)
#error "define one of MEMORY_BASE (A2/A3) and REGISTER_BASE (A5)"
#elif !defined(MEMORY_BASE) && !defined(REGISTER_BASE) && !defined(__CPU_SIM)
#error "define MEMORY_BASE (A2/A3), REGISTER_BASE (A5) or __CPU_SIM alone (the simulator)"
#endif

#if defined(MEMORY_BASE) && defined(__PTO_AUTO__)
#define PTO_EMULATION_TARGET a2a3_auto
#elif defined(MEMORY_BASE)
#define PTO_EMULATION_TARGET a2a3
#elif defined(REGISTER_BASE) && defined(__PTO_AUTO__)
#define PTO_EMULATION_TARGET a5_auto
#elif defined(REGISTER_BASE)
#define PTO_EMULATION_TARGET a5
#elif defined(__PTO_AUTO__)
#define PTO_EMULATION_TARGET simulator_auto
#else
#define PTO_EMULATION_TARGET simulator
#endif

namespace pto {
inline namespace PTO_EMULATION_TARGET {

#if defined(MEMORY_BASE)
constexpr emulation::Device kTarget = emulation::Device::A2A3;
#elif defined(REGISTER_BASE)
constexpr emulation::Device kTarget = emulation::Device::A5;
#else
constexpr emulation::Device kTarget = emulation::Device::Simulator;
#endif

#if defined(__PTO_AUTO__)
constexpr bool kPlacesAutomatically = true;
#else
constexpr bool kPlacesAutomatically = false;
#endif

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto
