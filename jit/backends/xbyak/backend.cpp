// x86-64 kernels: assembled, then published in the process's arena.
#include "jit/backends/backend.h"

#include "ir/spec_text.h"
#include "jit/backends/watching/announce.h"
#include "jit/backends/xbyak/assemble.h"
#include "jit/backends/xbyak/shortcut.h"
#include "jit/backends/xbyak/strategy.h"
#include "jit/options/environment.h"
#include "runtime/kernel_makers.h"
#include "runtime/made_once.h"

namespace pto::jit {
namespace {

CodeArena& code_arena() {
  static constinit MadeOnce<CodeArena> arena;
  return arena.get([] {
    const std::size_t limit = environment() ? environment()->arena_bytes : kArenaBytes;
    return std::make_unique<CodeArena>(ArenaOptions{.limit = limit});
  });
}

}  // namespace

Result<Kernel> make_xbyak_kernel(const KernelOrder& order) {
  const Strategy strategy = choose_strategy(order.plan, order.host, order.wish);
  const auto code = xbyak::assemble(order.plan, strategy);
  if (!code) return code.error();
  Result<CodeBlock> block = code_arena().publish(*code);
  if (!block) return block.error();
  Result<CodeRegistration> known_as = CodeRegistration();
  if (announces_kernels()) {
    known_as = announce({order.spec, order.plan, print(strategy),
                         std::string(name_of(level_of(strategy))) + suffix_of(order.kind),
                         block->bytes()});
  }
  if (!known_as) return known_as.error();
  return make_code_kernel(std::move(*block), Backend::Xbyak, order.spec, std::move(*known_as));
}

Result<WrittenCode> write_xbyak_code(const KernelOrder& order) {
  const Strategy strategy = choose_strategy(order.plan, order.host, order.wish);
  xbyak::Notes notes;
  const auto code = xbyak::assemble(order.plan, strategy, &notes);
  if (!code) return code.error();
  return WrittenCode{{code->begin(), code->end()}, std::move(notes.written)};
}

// Whatever goes wrong with it, calls find their kernel without.
std::optional<Kernel> make_xbyak_shortcut(const Shortcut& shortcut) {
  const std::vector<std::byte> code = xbyak::assemble(shortcut);
  if (code.empty()) return std::nullopt;
  Result<CodeBlock> block = code_arena().publish(code);
  if (!block) return std::nullopt;
  const Result<Environment>& given = environment();
  Result<CodeRegistration> known_as = CodeRegistration();
  if (given && given->tools != ToolOptions{})
    known_as = register_code("shortcut", block->entry(), block->size(), given->tools);
  if (!known_as) return std::nullopt;
  return make_code_kernel(std::move(*block), Backend::Xbyak, "shortcut", std::move(*known_as));
}

std::string describe_xbyak(const KernelOrder& order) {
  return print(choose_strategy(order.plan, order.host, order.wish));
}

}  // namespace pto::jit
