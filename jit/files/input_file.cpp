#include "jit/files/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "jit/files/links.h"
#include "jit/files/mapped_file.h"

namespace pto::jit::cli {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

std::string shown(std::string_view path) { return "'" + printable(path, 200) + "'"; }

Diagnostic unreadable(const std::string& path, const std::string& why) {
  return error("file.read", "cannot read " + shown(path) + ": " + why);
}

Diagnostic unreadable(const std::string& path, int code) {
  return unreadable(path, std::generic_category().message(code));
}

// Somebody may have made a pipe that is open already one that does not wait.
void wait_for_more(int descriptor) {
  pollfd one = {.fd = descriptor, .events = POLLIN, .revents = 0};
  ::poll(&one, 1, -1);
  errno = EAGAIN;
}

// Returns 0 or the code of what went wrong. `size` is what the file claims, 0 for pipes; room for
// one byte more lets a true claim be confirmed without growing.
int read_to_end(int descriptor, std::size_t size, Bytes& bytes) {
  bytes.resize(size + 1);
  std::size_t filled = 0;
  while (true) {
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EAGAIN) wait_for_more(descriptor);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled == bytes.size()) bytes.resize(2 * filled);
  }
  bytes.resize(filled);
  return 0;
}

// The only place where the size of an allocation is up to a file.
int read_if_it_fits(int descriptor, std::size_t size, Bytes& bytes) {
  try {
    return read_to_end(descriptor, size, bytes);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::length_error&) {
    return ENOMEM;
  }
}

std::optional<std::string> why_not(const struct stat& facts) {
  if (S_ISDIR(facts.st_mode)) return "it is a directory";
  if (S_ISREG(facts.st_mode) || S_ISFIFO(facts.st_mode)) return std::nullopt;
  return "it is a device; a file or a pipe is needed";
}

// Of this process, when a path such as /dev/stdin or /dev/fd/3 leads to one.
std::optional<int> descriptor_named(const std::string& path) {
  const PathEnd end = end_of_links(path);
  std::error_code ignored;
  const fs::path folder = fs::weakly_canonical(end.path.parent_path(), ignored);
  const bool is_own = folder == "/proc/" + std::to_string(::getpid()) + "/fd";
  if (!end.is_descriptor || !is_own) return std::nullopt;
  return std::atoi(end.path.filename().c_str());
}

// A pipe that is open already is not opened again: that would wait for another writer.
int open_input(const std::string& path) {
  struct stat facts = {};
  const bool is_pipe = ::stat(path.c_str(), &facts) == 0 && S_ISFIFO(facts.st_mode);
  const std::optional<int> given = is_pipe ? descriptor_named(path) : std::nullopt;
  return given ? ::fcntl(*given, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

}  // namespace

struct InputFile::Opened {
  explicit Opened(std::string name) : path(std::move(name)), descriptor(open_input(path)) {}
  ~Opened() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  Opened(Opened&&) = delete;
  Opened& operator=(Opened&&) = delete;

  std::optional<Diagnostic> take(Use use);

  const std::string path;
  const int descriptor;
  bool is_pipe = false;
  Storage contents;
  std::shared_ptr<const MappedFile> mapping;
  std::optional<NpyArray> array;
};

std::optional<Diagnostic> InputFile::Opened::take(Use use) {
  struct stat facts = {};
  if (descriptor < 0 || ::fstat(descriptor, &facts) != 0) return unreadable(path, errno);
  if (const auto why = why_not(facts)) return unreadable(path, *why);
  is_pipe = S_ISFIFO(facts.st_mode);
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (!is_pipe && size > 0 && use != Use::Read) {
    const bool is_changed = use == Use::Change;
    mapping = MappedFile::make(descriptor, size,
                               is_changed ? MappedFile::Use::Change : MappedFile::Use::Read);
    if (!mapping) return unreadable(path, errno);
    contents = {mapping->bytes(), mapping};
    return std::nullopt;
  }
  Bytes bytes;
  if (const int code = read_if_it_fits(descriptor, size, bytes)) return unreadable(path, code);
  contents = holding(std::move(bytes));
  return std::nullopt;
}

bool is_npy(std::string_view path) { return path.ends_with(".npy"); }

Result<InputFile> InputFile::open(const std::string& path, Use use) {
  const auto opened = std::make_shared<Opened>(path);
  if (auto problem = opened->take(use)) return std::move(*problem);
  const InputFile file(opened);
  if (!is_npy(path)) return file;
  Result<NpyArray> array = find_array(opened->contents.bytes);
  if (Result<Done> kept = file.check(); !kept) return kept.error();
  if (!array) return file.complaint(array.error());
  opened->array = std::move(*array);
  return file;
}

const std::string& InputFile::path() const { return opened_->path; }
const std::optional<NpyArray>& InputFile::array() const { return opened_->array; }

Storage InputFile::payload() const {
  const std::size_t begin = array() ? array()->begin : 0;
  return {opened_->contents.bytes.subspan(begin), opened_->contents.owner};
}

std::optional<FileRange> InputFile::range() const {
  if (opened_->is_pipe) return std::nullopt;
  const std::size_t bytes = payload().bytes.size();
  return FileRange{.descriptor = opened_->descriptor,
                   .begin = static_cast<off_t>(opened_->contents.bytes.size() - bytes),
                   .bytes = static_cast<off_t>(bytes)};
}

// What lies behind a new end in its last page reads as zeros, without a signal.
Result<Done> InputFile::check() const {
  if (!opened_->mapping) return Done{};
  struct stat facts = {};
  const bool is_there = ::fstat(opened_->descriptor, &facts) == 0 &&
                        static_cast<std::size_t>(facts.st_size) >= opened_->contents.bytes.size();
  if (is_there && opened_->mapping->is_whole()) return Done{};
  return unreadable(
      path(), is_there ? "a part of it could not be had" : "it became shorter while it was in use");
}

Diagnostics InputFile::complaint(Diagnostics why) const {
  for (Diagnostic& diagnostic : why) diagnostic.message = shown(path()) + ": " + diagnostic.message;
  return why;
}

Result<std::string> read_text(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path, InputFile::Use::Read);
  if (!file) return file.error();
  const Storage text = file->payload();
  return std::string(reinterpret_cast<const char*>(text.bytes.data()), text.bytes.size());
}

}  // namespace pto::jit::cli
