#include "jit/cli/execute.h"

#include "jit/compile.h"
#include "jit/strategy.h"

namespace pto::jit::cli {
namespace {

Result<Backend> backend_of(std::string_view name) {
  if (const std::optional<Backend> backend = backend_named(name)) return *backend;
  return error(
      "option.backend",
      "'" + printable(name) + "' is not a backend; backends are auto, xbyak, llvm, interpreter");
}

}  // namespace

Result<Done> execute(std::string_view backend, const LegalSpec& legal, const Frame& frame) {
  const Result<Backend> wanted = backend_of(backend);
  if (!wanted) return wanted.error();
  return invoke(legal.spec(), frame, {.backend = *wanted});
}

Result<std::string> describe_strategy(std::string_view backend, const KernelPlan& plan,
                                      std::string_view wish) {
  const Result<Backend> wanted = backend_of(backend);
  if (!wanted) return wanted.error();
  if (*wanted == Backend::Interpreter) return std::string("group size 1, walk forward");
  if (*wanted == Backend::Llvm) return error("option.backend", "this build has no llvm backend");
  const Result<StrategyWish> wished = parse_wish(wish);
  if (!wished) return wished.error();
  const Result<Strategy> strategy = strategy_for(plan, {.backend = *wanted, .strategy = *wished});
  if (!strategy) return strategy.error();
  return print(*strategy);
}

}  // namespace pto::jit::cli
