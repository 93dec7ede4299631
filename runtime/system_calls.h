// The system calls executable memory is made of, as a table, so that a test can refuse any of them.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace pto::jit {

struct SystemCalls {
  int (*memfd_create)(const char* name, unsigned flags);
  int (*ftruncate)(int file, off_t size);
  int (*close)(int file);
  void* (*mmap)(void* at, std::size_t size, int protection, int flags, int file, off_t offset);
  int (*munmap)(void* at, std::size_t size);
  int (*mprotect)(void* at, std::size_t size, int protection);

  // What was written to a stretch of memory is what is fetched from it, on every core: once for
  // each view of it. Does nothing on x86-64, which sees to that itself.
  void (*renew_instructions)(std::byte* begin, std::byte* end);
  // No thread of the process goes on with what it has fetched before. Nothing on x86-64 either.
  void (*drop_fetched_instructions)();
};

const SystemCalls& host_system_calls();

std::size_t page_size();
std::size_t whole_pages(std::size_t bytes);  // rounded up

}  // namespace pto::jit
