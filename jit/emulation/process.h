// A program run apart: in a process group and a folder of its own, without input, its output in a
// file there, with limits to what it may use. When it is over, so is everything it has started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/emulation/scratch.h"

namespace pto::jit {

struct Limits {
  std::int64_t seconds = 60;
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::int64_t file_bytes = std::int64_t{64} << 20;  // of each file it writes
};

enum class End : std::uint8_t { Exited, Killed, OutOfTime, NotStarted };

struct ProcessEnd {
  End how = End::NotStarted;
  int code = 0;  // the exit code, or the signal
};

// The first word is a path, or is looked for on the path. Output and errors go to `output`.
ProcessEnd run_apart(const std::vector<std::string>& command, const Scratch& folder,
                     const Limits& limits);

// Where run_apart leaves what a program prints.
inline constexpr const char* kOutput = "output";

}  // namespace pto::jit
