#include "jit/files/links.h"

namespace pto::jit::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel's

bool names_descriptor(const fs::path& link) {
  std::error_code ignored;
  return fs::weakly_canonical(link.parent_path(), ignored).string().starts_with("/proc/");
}

}  // namespace

PathEnd end_of_links(const fs::path& path) {
  PathEnd out = {.path = path};
  for (int hop = 0; hop < kMostLinks; ++hop) {
    std::error_code ignored;
    if (!fs::is_symlink(fs::symlink_status(out.path, ignored))) break;
    out.is_descriptor = names_descriptor(out.path);
    if (out.is_descriptor) break;
    const fs::path target = fs::read_symlink(out.path, out.problem);
    if (out.problem) break;
    out.path = out.path.parent_path() / target;
  }
  return out;
}

}  // namespace pto::jit::cli
