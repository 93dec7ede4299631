// A program run in a folder of its own, without input, its output in a file there, with limits to
// what it may use. It sees no process but those it started, and when it is over, out of time, or
// the caller is gone, so are they all: see supervisor.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/checks/emulation/scratch.h"

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

// Watched: where a namespace cannot be had. The program could look for other processes, then.
enum class Containment : std::uint8_t { Namespace, Watched };

// The first word is a path, or is looked for on the path. Output and errors go to `output`.
ProcessEnd run_contained(const std::vector<std::string>& command, const Scratch& folder,
                         const Limits& limits, Containment most = Containment::Namespace);

// Where run_contained leaves what a program prints.
inline constexpr const char* kOutput = "output";

}  // namespace pto::jit
