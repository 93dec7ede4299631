// Writing a set of files so that a reader never meets a part of it: temporaries first, names last.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "jit/cli/files.h"

namespace pto::jit::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel's
constexpr mode_t kNewFile = 0666;

Diagnostic unwritable(const std::string& path, const std::string& why) {
  return error("file.write", "cannot write '" + printable(path, 200) + "': " + why);
}

Diagnostic unwritable(const std::string& path, int code) {
  return unwritable(path, std::generic_category().message(code));
}

// --- where an output goes -----------------------------------------------------------------------

struct Destination {
  std::string path;                     // links followed
  std::optional<struct stat> existing;  // of a regular file
  bool is_in_place = false;             // cannot be replaced by renaming
};

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// /dev/stdout and its kin lead to /proc, where a link stands for an open descriptor.
bool names_descriptor(const fs::path& link) {
  std::error_code ignored;
  return fs::weakly_canonical(link.parent_path(), ignored).string().starts_with("/proc/");
}

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
    to.existing = status;
  } else if (errno != ENOENT) {
    return unwritable(path, errno);
  } else if (path.ends_with('/')) {
    return unwritable(path, "it names a directory");
  }
  if (const auto why = why_not_in(parent_of(path), to)) return unwritable(path, *why);
  return to;
}

Result<Destination> find_destination(const std::string& path) {
  if (path.empty()) return unwritable(path, "the path is empty");
  fs::path at = path;
  for (int hop = 0; hop < kMostLinks; ++hop) {
    std::error_code code;
    if (!fs::is_symlink(fs::symlink_status(at, code))) break;
    if (names_descriptor(at)) return Destination{.path = path, .existing = {}, .is_in_place = true};
    const fs::path target = fs::read_symlink(at, code);
    if (code) return unwritable(path, code.value());
    at = at.parent_path() / target;
  }
  return examine(at.string());
}

// --- bytes --------------------------------------------------------------------------------------

int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

// A pipe without a reader and a file at its limit are errors to report, not signals to die of with
// temporaries around.
int write_without_signals(int descriptor, std::span<const std::byte> bytes) {
  sigset_t signals;
  sigset_t before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  const int code = write_all(descriptor, bytes);
  const timespec at_once = {};
  if (code != 0) sigtimedwait(&signals, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return code;
}

// The first failure counts, but the descriptor is closed in any case.
int close_after(int code, int descriptor) {
  const bool is_closed = ::close(descriptor) == 0;
  return code != 0 || is_closed ? code : errno;
}

// A replaced file keeps its mode, and its owner where we may give files away.
int keep_mode(int descriptor, const struct stat& existing) {
  const int owner_code = ::fchown(descriptor, existing.st_uid, existing.st_gid) == 0 ? 0 : errno;
  const mode_t mask = owner_code == 0 ? 07777 : 0777;
  return ::fchmod(descriptor, existing.st_mode & mask) == 0 ? 0 : errno;
}

// Appending leaves what a redirected standard output already holds.
int write_in_place(const std::string& path, std::span<const std::byte> bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  return close_after(write_without_signals(descriptor, bytes), descriptor);
}

// --- the set ------------------------------------------------------------------------------------

// Short whatever the destination is called, so that it fits where the destination does.
std::string temporary_beside(const std::string& path) {
  static std::atomic<unsigned> count = 0;
  const std::string name = ".ptojit-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  return (fs::path(path).parent_path() / name).string();
}

class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch(Batch&&) = delete;
  Batch& operator=(const Batch&) = delete;
  Batch& operator=(Batch&&) = delete;
  ~Batch() {
    for (const Entry& entry : entries_) {
      if (!entry.temporary.empty()) ::unlink(entry.temporary.c_str());
    }
  }

  Result<Done> add(const OutputFile& file) {
    Result<Destination> to = find_destination(file.path);
    if (!to) return std::move(to).error();
    std::error_code ignored;
    const fs::path name = fs::weakly_canonical(fs::absolute(to->path, ignored), ignored);
    if (!names_.insert(name).second) return unwritable(file.path, "two outputs go to this path");
    entries_.push_back({&file, std::move(*to), {}});
    return Done{};
  }

  Result<Done> write() {
    for (Entry& entry : entries_) {
      if (entry.to.is_in_place) continue;
      if (const int code = stage(entry)) return unwritable(entry.file->path, code);
    }
    for (const Entry& entry : entries_) {
      if (!entry.to.is_in_place) continue;
      if (const int code = write_in_place(entry.to.path, entry.file->bytes)) {
        return unwritable(entry.file->path, code);
      }
    }
    return Done{};
  }

  // What can be known to prevent this was checked by add().
  Result<Done> take_names() {
    std::string_view state;
    for (Entry& entry : entries_) {
      if (entry.to.is_in_place) continue;
      if (::rename(entry.temporary.c_str(), entry.to.path.c_str()) != 0) {
        const std::string why = std::generic_category().message(errno);
        return unwritable(entry.file->path, why + std::string(state));
      }
      entry.temporary.clear();
      state = "; the outputs named before it are written";
    }
    return Done{};
  }

 private:
  struct Entry {
    const OutputFile* file;
    Destination to;
    std::string temporary;
  };

  static int stage(Entry& entry) {
    int descriptor = -1;
    std::string name;
    do {
      name = temporary_beside(entry.to.path);
      descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile);
    } while (descriptor < 0 && errno == EEXIST);
    if (descriptor < 0) return errno;
    entry.temporary = name;
    int code = write_without_signals(descriptor, entry.file->bytes);
    if (code == 0 && entry.to.existing) code = keep_mode(descriptor, *entry.to.existing);
    if (code == 0 && ::fsync(descriptor) != 0) code = errno;
    return close_after(code, descriptor);
  }

  std::vector<Entry> entries_;
  std::set<fs::path> names_;
};

}  // namespace

Result<Done> write_files(std::span<const OutputFile> files) {
  Batch batch;
  for (const OutputFile& file : files) {
    if (Result<Done> added = batch.add(file); !added) return added;
  }
  if (Result<Done> written = batch.write(); !written) return written;
  return batch.take_names();
}

}  // namespace pto::jit::cli
