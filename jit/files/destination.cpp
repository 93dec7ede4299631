#include "jit/files/destination.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "jit/files/links.h"
#include "runtime/staged_file.h"

namespace pto::jit::cli {
namespace {

// Renaming needs a directory that can be written, and a file in it that we may replace.
std::optional<std::string> why_not_in(const std::string& parent, const Destination& to) {
  struct stat status = {};
  const std::string directory = "the directory '" + printable(parent, 200) + "'";
  if (::stat(parent.c_str(), &status) != 0 || ::access(parent.c_str(), W_OK | X_OK) != 0) {
    return directory + ": " + std::generic_category().message(errno);
  }
  const uid_t self = ::geteuid();
  const bool is_sticky = (status.st_mode & S_ISVTX) != 0 && self != 0 && self != status.st_uid;
  if (to.existing && is_sticky && self != to.existing->st_uid) {
    return directory + " lets only its owner replace this file";
  }
  return std::nullopt;
}

Result<Destination> examine(const std::string& path) {
  Destination to = {.path = path, .existing = {}};
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return unwritable(path, "it is a directory");
    if (::access(path.c_str(), W_OK) != 0) return unwritable(path, errno);
    to.is_in_place = !S_ISREG(status.st_mode);
    if (to.is_in_place) return to;
    if (status.st_nlink > 1) {
      return unwritable(path, "it has " + std::to_string(status.st_nlink) +
                                  " names (hard links), and a new file would take the place of "
                                  "this one alone; remove the name first");
    }
    to.existing = status;
  } else if (errno != ENOENT) {
    return unwritable(path, errno);
  } else if (path.ends_with('/')) {
    return unwritable(path, "it names a directory");
  }
  if (const auto why = why_not_in(parent_of(path), to)) return unwritable(path, *why);
  return to;
}

}  // namespace

std::string identity_of(const std::string& path) {
  const std::filesystem::path end = end_of_links(path).path;
  const auto number = [](const struct stat& facts) {
    return std::to_string(facts.st_dev) + ":" + std::to_string(facts.st_ino);
  };
  struct stat facts = {};
  if (::stat(end.c_str(), &facts) == 0) return number(facts);
  if (::stat(parent_of(end.string()).c_str(), &facts) != 0) return "";
  return number(facts) + "/" + end.filename().string();
}

Diagnostic unwritable(const std::string& path, const std::string& why) {
  return error("file.write", "cannot write '" + printable(path, 200) + "': " + why);
}

Diagnostic unwritable(const std::string& path, int code) {
  return unwritable(path, std::generic_category().message(code));
}

Result<Destination> find_destination(const std::string& path) {
  if (path.empty()) return unwritable(path, "the path is empty");
  const PathEnd end = end_of_links(path);
  if (end.is_descriptor) return Destination{.path = path, .existing = {}, .is_in_place = true};
  if (end.problem) return unwritable(path, end.problem.value());
  Result<Destination> to = examine(end.path.string());
  const bool is_dangling = to && !to->existing && !to->is_in_place && end.path != path;
  if (is_dangling) {
    return unwritable(path, "it is a link to '" + printable(end.path.string(), 200) +
                                "', which is not there; remove the link, or make the file first");
  }
  return to;
}

}  // namespace pto::jit::cli
