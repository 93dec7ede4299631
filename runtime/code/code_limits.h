// What generated code may take of the process, and who is told of it.
#pragma once

#include <cstddef>

namespace pto::jit {

inline constexpr std::size_t kArenaBytes = std::size_t{256} << 20;  // mapped, unless stated

// Who learns which kernel lives where.
struct ToolOptions {
  bool perf_map = false;
  bool gdb = false;

  bool operator==(const ToolOptions&) const = default;
};

}  // namespace pto::jit
