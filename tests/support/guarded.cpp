#include "tests/support/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace pto::jit::tests {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

GuardedBuffer::GuardedBuffer(std::size_t bytes, Guard guard) : size_(bytes) {
  const std::size_t page = page_size();
  const std::size_t usable = (bytes + page - 1) / page * page;
  mapped_ = usable + 2 * page;
  void* mapping = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool opened =
      mapping != MAP_FAILED && (usable == 0 || mprotect(static_cast<std::byte*>(mapping) + page,
                                                        usable, PROT_READ | PROT_WRITE) == 0);
  if (!opened) {
    std::perror("guarded buffer");
    std::abort();
  }
  mapping_ = static_cast<std::byte*>(mapping);
  data_ = mapping_ + page + (guard == Guard::Behind ? usable - bytes : 0);
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept { *this = std::move(other); }

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace pto::jit::tests
