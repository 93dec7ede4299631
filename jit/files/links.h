// Paths that are links.
#pragma once

#include <filesystem>
#include <system_error>

namespace pto::jit::cli {

// Where a path leads, link by link.
struct PathEnd {
  std::filesystem::path path;
  bool is_descriptor = false;  // /proc/.../fd/N, an open one, as behind /dev/stdout
  std::error_code problem = {};
};

PathEnd end_of_links(const std::filesystem::path& path);

}  // namespace pto::jit::cli
