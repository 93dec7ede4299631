#include "jit/checks/emulation/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>

#include "jit/checks/emulation/folder_keeper.h"
#include "runtime/staged_file.h"

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

Diagnostic unusable(const fs::path& path, std::string_view what, int code) {
  return error("check.directory", "'" + printable(path.string()) + "' " + std::string(what) + ": " +
                                      std::generic_category().message(code));
}

int put(const fs::path& path, std::string_view text) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = ::open(path.c_str(), flags, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return errno;
  const int code = write_all(descriptor, std::as_bytes(std::span(text)));
  return ::close(descriptor) == 0 || code != 0 ? code : errno;
}

}  // namespace

struct Scratch::Folder {
  explicit Folder(const KeptFolder& made) : kept(made), path(made.path) {}
  ~Folder() {
    if (::getpid() == owner) remove_kept_folder(kept);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  const KeptFolder kept;
  const fs::path path;
  const pid_t owner = ::getpid();  // a fork of it has no folder
};

Result<Scratch> Scratch::make() {
  std::error_code code;
  const fs::path parent = fs::absolute(fs::temp_directory_path(code), code);
  if (code) return unusable(parent, "cannot hold temporary files", code.value());
  KeptFolder made;
  if (const int problem = make_kept_folder(parent.string(), made))
    return unusable(parent, "cannot hold temporary files", problem);
  return Scratch(std::make_shared<const Folder>(made));
}

const fs::path& Scratch::path() const { return folder_->path; }

Result<Done> Scratch::write(std::string_view name, std::string_view text) const {
  const fs::path file = path() / name;
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  if (const int code = put(file, text)) return unusable(file, "cannot be written", code);
  return Done{};
}

std::string Scratch::read(std::string_view name, std::size_t limit) const {
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int file = ::openat(folder_->kept.descriptor, std::string(name).c_str(), flags);
  if (file < 0) return {};
  struct stat facts = {};
  std::string out;
  if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode))
    out.resize(std::min(static_cast<std::size_t>(facts.st_size), limit));
  std::size_t size = 0;
  ssize_t got = 0;
  while (size < out.size() && (got = ::read(file, &out[size], out.size() - size)) > 0)
    size += static_cast<std::size_t>(got);
  out.resize(size);
  ::close(file);
  return out;
}

}  // namespace pto::jit
