// --threads and --parts, as run and bench take them.
#pragma once

#include <cstdint>
#include <optional>

#include "jit/calls/parallel/parallel.h"
#include "jit/doors/cli/arguments.h"

namespace pto::jit::cli {

struct ThreadOptions {
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> parts;

  bool are_given() const { return threads || parts; }
};

void take_threads(Arguments& command, ThreadOptions& options);

Result<Parallel> parallel_of(const ThreadOptions& options);

}  // namespace pto::jit::cli
