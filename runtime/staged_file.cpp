#include "runtime/staged_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "runtime/held_signals.h"
#include "runtime/leftovers.h"

namespace pto::jit {
namespace {

constexpr const char* kDescriptors = "/proc/self/fd/";  // where one can be linked to a name

}  // namespace

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

StagedFile& StagedFile::operator=(StagedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(directory_, other.directory_);
  std::swap(temporary_, other.temporary_);
  return *this;
}

int StagedFile::open(const std::string& directory, mode_t mode, Kind kind) {
  directory_ = directory;
  if (kind == Kind::Unnamed && ::access(kDescriptors, X_OK) == 0)
    descriptor_ = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (descriptor_ < 0) return open_named(mode);
  static_cast<void>(claim(descriptor_));
  return 0;
}

int StagedFile::open_named(mode_t mode) {
  while (true) {
    std::string name = temporary_in(directory_);
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return errno;
    if (claim(descriptor)) {
      descriptor_ = descriptor;
      temporary_ = std::move(name);
      return 0;
    }
    ::close(descriptor);
  }
}

int StagedFile::approach_name() {
  const std::string open_file = kDescriptors + std::to_string(descriptor_);
  while (temporary_.empty()) {
    std::string name = temporary_in(directory_);
    const int flags = AT_SYMLINK_FOLLOW;
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), flags) == 0)
      temporary_ = std::move(name);
    else if (errno != EEXIST)
      return errno;
  }
  return 0;
}

int StagedFile::take_name(const std::string& path) {
  const HeldSignals held;
  if (const int code = approach_name()) return code;
  if (::rename(temporary_.c_str(), path.c_str()) != 0) return errno;
  temporary_.clear();
  return 0;
}

int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

int replace_file(const std::string& path, std::span<const std::byte> bytes, mode_t mode) {
  StagedFile file;
  int code = file.open(parent_of(path), mode);
  if (code == 0) code = write_all(file.descriptor(), bytes);
  return code != 0 ? code : file.take_name(path);
}

std::string parent_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace pto::jit
