#include "runtime/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".ptojit-";

void remove_if_left(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat facts = {};
  const bool is_ours = ::fstat(descriptor, &facts) == 0 && facts.st_uid == ::geteuid() &&
                       (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode));
  std::error_code ignored;
  if (is_ours && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
  ::close(descriptor);
}

}  // namespace

std::string temporary_in(const std::string& directory) {
  static std::atomic<unsigned> count = 0;  // alone: only that no two threads get the same
  const unsigned number = count.fetch_add(1, std::memory_order_relaxed);
  const std::string name = std::to_string(::getpid()) + "-" + std::to_string(number);
  return (fs::path(directory) / (std::string(kBegin) + name)).string();
}

// Where a file system has no locks nobody removes anything.
bool claim(int descriptor) {
  static_cast<void>(::flock(descriptor, LOCK_EX));
  struct stat facts = {};
  return ::fstat(descriptor, &facts) == 0 && facts.st_nlink > 0;
}

void remove_leftovers(const std::string& directory) {
  std::error_code problem;
  for (fs::directory_iterator it(directory, problem), end; !problem && it != end;
       it.increment(problem)) {
    if (it->path().filename().string().starts_with(kBegin)) remove_if_left(it->path());
  }
}

}  // namespace pto::jit
