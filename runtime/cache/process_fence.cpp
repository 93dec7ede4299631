#include "runtime/cache/process_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/made_once.h"

namespace pto::jit {
namespace {

bool ask(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

bool has_process_fence() {
  static constinit MadeOnce<const bool> has;
  return has.get(
      [] { return std::make_unique<const bool>(ask(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)); });
}

bool fence_process() { return has_process_fence() && ask(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }

}  // namespace pto::jit
