// The whole tool: every command, those of the doors and those that stand on them.
#pragma once

#include <iosfwd>

#include "jit/doors/cli/command.h"

namespace pto::jit::cli {

// Parses arguments, runs a command, returns the exit code.
int run_tool(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
             GroupRunner run_group = nullptr);

}  // namespace pto::jit::cli
