#include "jit/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "jit/cli/npy.h"

namespace pto::jit::cli {
namespace {

using Bytes = std::vector<std::byte>;

bool is_npy(std::string_view path) { return path.ends_with(".npy"); }

std::string shown(std::string_view path) { return "'" + printable(path, 200) + "'"; }

Diagnostic unreadable(const std::string& path, const std::string& why) {
  return error("file.read", "cannot read " + shown(path) + ": " + why);
}

Diagnostic unreadable(const std::string& path, int code) {
  return unreadable(path, std::generic_category().message(code));
}

// Returns 0 or the code of what went wrong. `size` is what the file claims, 0 for pipes; room for
// one byte more lets a true claim be confirmed without growing.
int read_to_end(int descriptor, std::size_t size, Bytes& bytes) {
  bytes.resize(size + 1);
  std::size_t filled = 0;
  while (true) {
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
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

Result<Bytes> read_descriptor(int descriptor, const std::string& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return unreadable(path, errno);
  if (S_ISDIR(status.st_mode)) return unreadable(path, "it is a directory");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    return unreadable(path, "it is a device; a file or a pipe is needed");
  }
  Bytes bytes;
  const auto size = static_cast<std::size_t>(status.st_size);
  const int code = read_if_it_fits(descriptor, size, bytes);
  if (code != 0) return unreadable(path, code);
  return bytes;
}

std::optional<std::string> misfit(std::int64_t has, std::int64_t needs, bool may_be_longer) {
  if (has == needs || (may_be_longer && has > needs)) return std::nullopt;
  return "the file has " + std::to_string(has) + " bytes, the operand needs " +
         (may_be_longer ? "at least " : "") + std::to_string(needs);
}

Result<Bytes> check_raw(Bytes bytes, DType dtype, std::optional<std::int64_t> needs,
                        bool may_be_longer) {
  if (!needs) return error("file.size", "the operand's storage is beyond 2^63 bytes");
  const auto has = static_cast<std::int64_t>(bytes.size());
  if (auto wrong = misfit(has, *needs, may_be_longer)) return error("file.size", *wrong);
  if ((has - *needs) % size_of(dtype) == 0) return bytes;
  return error("file.size", "the file has " + std::to_string(has) + " bytes, the operand needs " +
                                std::to_string(*needs) + " and any surplus in whole elements of " +
                                std::to_string(size_of(dtype)));
}

Result<Bytes> with_path(const std::string& path, Result<Bytes> outcome) {
  if (outcome) return outcome;
  Diagnostics diagnostics = std::move(outcome).error();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.message = shown(path) + ": " + diagnostic.message;
  }
  return diagnostics;
}

}  // namespace

Result<Bytes> read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(path, errno);
  Result<Bytes> bytes = read_descriptor(descriptor, path);
  ::close(descriptor);
  return bytes;
}

Result<Bytes> read_operand(const std::string& path, DType dtype,
                           std::span<const std::int64_t> storage_shape, bool may_be_longer) {
  Result<Bytes> file = read_file(path);
  if (!file) return file;
  if (is_npy(path)) return with_path(path, read_npy(*file, dtype, storage_shape, may_be_longer));
  const std::optional<std::int64_t> needs = byte_count(storage_shape, dtype);
  return with_path(path, check_raw(std::move(*file), dtype, needs, may_be_longer));
}

Bytes encode_operand(const std::string& path, std::span<const std::byte> payload, DType dtype,
                     std::span<const std::int64_t> shape) {
  if (is_npy(path)) return write_npy(payload, dtype, shape);
  return {payload.begin(), payload.end()};
}

}  // namespace pto::jit::cli
