#include "jit/checks/emulation/tree_removal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace pto::jit {
namespace {

// Whether the whole folder could be read.
template <typename Visit>
bool visit_entries(int folder, Visit&& visit) {
  alignas(dirent64) std::array<char, 4096> entries;
  ::lseek(folder, 0, SEEK_SET);
  ssize_t size = 0;
  while ((size = ::getdents64(folder, entries.data(), entries.size())) > 0) {
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const char* name = entry->d_name;
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) visit(name);
    }
  }
  return size == 0;
}

bool unlink(int folder, const char* name) {
  return ::unlinkat(folder, name, 0) == 0 || ::unlinkat(folder, name, AT_REMOVEDIR) == 0 ||
         errno == ENOENT;
}

// Folders inside folders come up to the top one by one, so that depth costs neither stack nor
// descriptors, and what is mounted, which cannot be moved, is not entered.
class Flattening {
 public:
  explicit Flattening(int top) : top_(top) {}

  // Whether an entry of the top is gone; what was in it may have come up.
  bool remove(const char* name) {
    if (unlink(top_, name)) return true;
    if (!take_up(top_, name)) return false;
    const std::array<char, 32> own = number_;
    const int folder = ::openat(top_, own.data(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    visit_entries(folder, [&](const char* entry) {
      if (!unlink(folder, entry)) take_up(folder, entry);
    });
    ::close(folder);
    return ::unlinkat(top_, own.data(), AT_REMOVEDIR) == 0;
  }

 private:
  // Under a number that no other entry has.
  bool take_up(int parent, const char* name) {
    ::fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW);
    int code = EEXIST;
    while (code == EEXIST || code == ENOTEMPTY || code == ENOTDIR) {
      std::snprintf(number_.data(), number_.size(), "%lu", count_++);
      const bool is_there = ::renameat(parent, name, top_, number_.data()) == 0;
      code = is_there ? 0 : errno;
    }
    return code == 0;
  }

  int top_;
  unsigned long count_ = 0;
  std::array<char, 32> number_ = {};
};

}  // namespace

bool remove_contents(int folder) {
  ::fchmod(folder, S_IRWXU);
  Flattening flattening(folder);
  while (true) {
    bool is_empty = true;
    bool is_shrinking = false;
    const bool is_read = visit_entries(folder, [&](const char* name) {
      is_empty = false;
      is_shrinking = flattening.remove(name) || is_shrinking;
    });
    if (!is_read || is_empty || !is_shrinking) return is_read && is_empty;
  }
}

}  // namespace pto::jit
