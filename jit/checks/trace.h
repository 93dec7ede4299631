// Emulated runs as a Chrome trace, which the viewers of profiles open: a process for each run, a
// track for each pipe, an arrow for each wait.
#pragma once

#include <span>
#include <string>

#include "jit/checks/emulation/run_record.h"

namespace pto::jit::cli {

struct NamedRun {
  std::string name;  // "random indices"
  RunRecord record;
};

// Each run by its schedule.
std::string trace_text(std::span<const NamedRun> runs);

}  // namespace pto::jit::cli
