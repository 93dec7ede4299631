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

GuardedMemory::~GuardedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, usable_ + 2 * page_size());
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept { *this = std::move(other); }

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(usable_, other.usable_);
  return *this;
}

void GuardedMemory::grow(std::size_t bytes) {
  const std::size_t page = page_size();
  const std::size_t usable = (bytes + page) / page * page;  // at least one page
  void* mapping = mmap(nullptr, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool opened = mapping != MAP_FAILED && mprotect(static_cast<std::byte*>(mapping) + page,
                                                        usable, PROT_READ | PROT_WRITE) == 0;
  if (!opened) {
    std::perror("guarded memory");
    std::abort();
  }
  GuardedMemory larger;
  larger.mapping_ = static_cast<std::byte*>(mapping);
  larger.usable_ = usable;
  *this = std::move(larger);
}

std::byte* GuardedMemory::place(std::size_t bytes, Guard guard) {
  if (mapping_ == nullptr || bytes > usable_) grow(bytes);
  return mapping_ + page_size() + (guard == Guard::Behind ? usable_ - bytes : 0);
}

}  // namespace pto::jit::tests
