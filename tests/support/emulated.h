// Emitted kernels compiled many to a unit, and run in the emulation on the memory of workloads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/checks/emulation/host_program.h"
#include "targets/source_plan.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

// A stretch of the text that is taken out before it is compiled.
struct TextCut {
  std::string text{};
  std::size_t occurrence = 0;  // from 0
};

struct EmulatedCase {
  Workload load;
  std::optional<Placement> placement{};  // as texts are placed by default
  TextCut without{};
  bool is_expanded = false;
};

struct EmulatedRun {
  std::string trouble;  // why there was no run: a diagnostic, or the compiler's words
  std::string reports;  // of the emulated machine; empty when it found nothing
  Image image;          // what the kernel left in memory
};

// In the order of the cases. Equal texts are compiled once; two compilers, and two kernels,
// run at a time.
std::vector<EmulatedRun> run_emulated(const std::vector<EmulatedCase>& cases,
                                      const HostSetting& setting = {});

// Empty when the run was clean and left what the interpreter leaves; where any of several writers
// may win, what one of them would. Else it begins with the command that checks the kernel alone.
std::string difference(const EmulatedCase& entry, const EmulatedRun& run);

}  // namespace pto::jit::tests
