// Prints what makes a kernel's text a program for the host, which runs the kernel on the emulated
// machine: see pto/emulation/program.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "targets/source_plan.h"

namespace pto::jit::source {

// Once in a translation unit, before all kernels.
std::string harness_head();

// What the machine starts: the host's part of the kernel's text, or the kernel itself, as a launch
// that asks for all of the device's local memory does.
enum class Start : std::uint8_t { Launch, Kernel };

// After the kernel, and its launch if that is what starts.
std::string harness_text(const SourcePlan& plan, Start start = Start::Launch);

// For the host's compiler: which device, and who places the tiles.
std::string host_flags(const SourcePlan& plan);

}  // namespace pto::jit::source
