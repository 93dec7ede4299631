#include "runtime/system_calls.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "runtime/made_once.h"
#endif

namespace pto::jit {
namespace {

void renew_instructions(std::byte* begin, std::byte* end) {
  __builtin___clear_cache(reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end));
}

#if defined(__aarch64__)

bool ask(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// An instruction barrier on every core that runs a thread of the process; systems before Linux 4.16
// have none, and rely on it that nobody fetches what nobody branched to.
void drop_fetched_instructions() {
  static constinit MadeOnce<const bool> can;
  const bool& is_registered = can.get([] {
    return std::make_unique<const bool>(ask(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE));
  });
  if (is_registered) ask(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}

#else

void drop_fetched_instructions() {}

#endif

}  // namespace

const SystemCalls& host_system_calls() {
  static constexpr SystemCalls kCalls = {
      .memfd_create = ::memfd_create,
      .ftruncate = ::ftruncate,
      .close = ::close,
      .mmap = ::mmap,
      .munmap = ::munmap,
      .mprotect = ::mprotect,
      .renew_instructions = renew_instructions,
      .drop_fetched_instructions = drop_fetched_instructions,
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
