// Files written all together or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"

namespace pto::jit::cli {

struct OutputFile {
  std::string path;
  std::vector<std::byte> bytes;
};

OutputFile text_file(const std::filesystem::path& path, std::string_view text);

// All or none: only when all are complete do they take their names. After a failure the
// destinations are as they were, and nothing else is left, not even by a process that is killed.
// Links are followed; an existing file keeps its mode. What is not a regular file (a device, a
// pipe, /dev/stdout) is written in place, last before the names are taken.
Result<Done> write_files(std::span<const OutputFile> files);

}  // namespace pto::jit::cli
