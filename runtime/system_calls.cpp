#include "runtime/system_calls.h"

#include <sys/mman.h>
#include <unistd.h>

namespace pto::jit {

const SystemCalls& host_system_calls() {
  static constexpr SystemCalls kCalls = {
      .memfd_create = ::memfd_create,
      .ftruncate = ::ftruncate,
      .close = ::close,
      .mmap = ::mmap,
      .munmap = ::munmap,
      .mprotect = ::mprotect,
  };
  return kCalls;
}

std::size_t page_size() {
  static const std::size_t kSize = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return kSize;
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

}  // namespace pto::jit
