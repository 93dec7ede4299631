#include "runtime/staged_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "runtime/held_signals.h"
#include "runtime/write_signals.h"

namespace pto::jit {
namespace {

constexpr const char* kDescriptors = "/proc/self/fd/";  // where one can be linked to a name

// Short enough for any file system. One that is taken, perhaps by a process with this number in
// another container, is never opened: whoever makes a file asks for the next name.
std::string next_temporary_in(const std::string& directory) {
  static std::atomic<unsigned> count = 0;  // alone: only that no two threads get the same
  const unsigned number = count.fetch_add(1, std::memory_order_relaxed);
  return directory + "/.ptojit-" + std::to_string(::getpid()) + "-" + std::to_string(number);
}

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
  return descriptor_ < 0 ? open_named(mode) : 0;
}

int StagedFile::open_named(mode_t mode) {
  while (descriptor_ < 0) {
    std::string name = next_temporary_in(directory_);
    descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0)
      temporary_ = std::move(name);
    else if (errno != EEXIST)
      return errno;
  }
  return 0;
}

int StagedFile::approach_name() {
  const std::string open_file = kDescriptors + std::to_string(descriptor_);
  while (temporary_.empty()) {
    std::string name = next_temporary_in(directory_);
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
  return without_write_signals([&] {
    while (!bytes.empty()) {
      const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return errno;
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return 0;
  });
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
