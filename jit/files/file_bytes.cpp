#include "jit/files/file_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/staged_file.h"
#include "runtime/write_signals.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes, where the system cannot copy

struct Extent {
  off_t begin;
  off_t end;
};

// The next bytes between `at` and `end` that are not a hole; none at `end`. A file system that
// knows no holes has one extent.
Extent next_data(int descriptor, off_t at, off_t end) {
  const off_t begin = ::lseek(descriptor, at, SEEK_DATA);
  if (begin < 0) return errno == ENXIO ? Extent{end, end} : Extent{at, end};
  const off_t hole = ::lseek(descriptor, begin, SEEK_HOLE);
  return {std::min(begin, end), hole < 0 ? end : std::min(hole, end)};
}

int copy_by_hand(const FileRange& from, int to, off_t at) {
  std::vector<std::byte> piece(std::min(kPiece, static_cast<std::size_t>(from.bytes)));
  for (off_t done = 0; done < from.bytes;) {
    const auto most = std::min(piece.size(), static_cast<std::size_t>(from.bytes - done));
    const ssize_t got = ::pread(from.descriptor, piece.data(), most, from.begin + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : ENODATA;
    if (::lseek(to, at + done, SEEK_SET) < 0) return errno;
    if (const int code = write_all(to, std::span(piece).first(static_cast<std::size_t>(got))))
      return code;
    done += got;
  }
  return 0;
}

int copy_extent(const FileRange& from, int to, off_t at) {
  off_t begin = from.begin;
  const off_t end = from.begin + from.bytes;
  while (begin < end) {
    const auto left = static_cast<std::size_t>(end - begin);
    const ssize_t put = ::copy_file_range(from.descriptor, &begin, to, &at, left, 0);
    if (put == 0) return ENODATA;
    if (put > 0 || errno == EINTR) continue;
    const bool is_refused =
        errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    return is_refused ? copy_by_hand({from.descriptor, begin, end - begin}, to, at) : errno;
  }
  return 0;
}

}  // namespace

int put_size(int descriptor, off_t bytes) {
  return without_write_signals([&] { return ::ftruncate(descriptor, bytes) == 0 ? 0 : errno; });
}

int copy_range(const FileRange& from, int to, off_t at) {
  const off_t end = from.begin + from.bytes;
  for (off_t begin = from.begin; begin < end;) {
    const Extent data = next_data(from.descriptor, begin, end);
    const FileRange part = {from.descriptor, data.begin, data.end - data.begin};
    const int code =
        without_write_signals([&] { return copy_extent(part, to, at + data.begin - from.begin); });
    if (code != 0) return code;
    begin = data.end;
  }
  return 0;
}

}  // namespace pto::jit::cli
