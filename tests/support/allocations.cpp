// Plain builds replace operator new for the whole test program. Under a sanitizer that would hide
// its own checks, so there its hook counts instead.
#include "tests/support/allocations.h"

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PTOJIT_HAS_ALLOCATION_HOOK 1
// Of the sanitizers' public interface; GCC does not install the header.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
#else
#define PTOJIT_HAS_ALLOCATION_HOOK 0
#endif

namespace pto::jit::tests {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

thread_local std::uint64_t count = 0;
thread_local std::uint64_t last = kAll;  // of those that succeed

#if PTOJIT_HAS_ALLOCATION_HOOK

void note_allocation(const volatile void*, std::size_t) { ++count; }
void note_release(const volatile void*) {}

const int kInstalled = __sanitizer_install_malloc_and_free_hooks(note_allocation, note_release);

#endif

}  // namespace

std::uint64_t allocations() { return count; }

FailingAllocations::FailingAllocations(std::uint64_t allowed) { last = count + allowed; }
FailingAllocations::~FailingAllocations() { last = kAll; }

#if !PTOJIT_HAS_ALLOCATION_HOOK

void* counted_allocation(std::size_t size, std::size_t alignment) {
  if (++count > last) throw std::bad_alloc();
  const std::size_t bytes = (size + alignment - 1) / alignment * alignment;
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                        : std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

#endif

}  // namespace pto::jit::tests

#if !PTOJIT_HAS_ALLOCATION_HOOK

// The array forms and those that do not throw end up here.
void* operator new(std::size_t size) {
  return pto::jit::tests::counted_allocation(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return pto::jit::tests::counted_allocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
