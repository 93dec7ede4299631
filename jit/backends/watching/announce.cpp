#include "jit/backends/watching/announce.h"

#include "ir/spec_text.h"
#include "jit/backends/watching/dump.h"
#include "jit/options/environment.h"

namespace pto::jit {

bool announces_kernels() {
  const Result<Environment>& given = environment();
  return given && (!given->dump.empty() || given->tools != ToolOptions{});
}

Result<CodeRegistration> announce(const NewCode& made) {
  const Result<Environment>& given = environment();
  if (!given) return given.error();
  if (!given->dump.empty()) {
    const Result<Done> written =
        dump_kernel(given->dump, {print(made.spec), print(made.plan, made.spec.op), made.strategy,
                                  made.level, made.code, made.ir});
    if (!written) return written.error();
  }
  if (given->tools == ToolOptions{}) return CodeRegistration();
  return register_code(print(made.spec), made.code.data(), made.code.size(), given->tools);
}

}  // namespace pto::jit
