#include "jit/doors/cli/thread_options.h"

#include <string>

namespace pto::jit::cli {
namespace {

Diagnostic out_of_range(const std::string& name, std::uint64_t given, int most) {
  return error("option." + name, "--" + name + " " + std::to_string(given) +
                                     ": there can be from 1 to " + std::to_string(most));
}

}  // namespace

void take_threads(Arguments& command, ThreadOptions& options) {
  command.take("--threads", options.threads,
               "By up to N threads, with the same result; moves that are too small stay with one");
  command.take("--parts", options.parts, "In N parts whatever the size, if there are so many");
}

Result<Parallel> parallel_of(const ThreadOptions& options) {
  const std::uint64_t threads = options.threads.value_or(1);
  const std::uint64_t parts = options.parts.value_or(1);
  if (threads < 1 || threads > kMostThreads) return out_of_range("threads", threads, kMostThreads);
  if (parts < 1 || parts > kMostParts) return out_of_range("parts", parts, kMostParts);
  return Parallel{.threads = static_cast<int>(threads),
                  .parts = options.parts ? static_cast<int>(parts) : 0};
}

}  // namespace pto::jit::cli
