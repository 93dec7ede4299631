// Emulated runs as a Chrome trace, which the viewers of profiles open: a process for each run, a
// track for each pipe, an arrow for each wait.
#pragma once

#include <span>
#include <string>

#include "jit/emulation/run_record.h"

namespace pto::jit::cli {

struct NamedRun {
  std::string name;  // "random indices"
  RunRecord record;
};

// Times count blocks of 32 bytes: an operation takes as long as it has blocks to read or write,
// and at least one; a pipe starts when it is free and has met whom it waits for.
std::string trace_text(std::span<const NamedRun> runs);

}  // namespace pto::jit::cli
