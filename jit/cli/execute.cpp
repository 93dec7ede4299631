#include "jit/cli/execute.h"

#include "jit/compile.h"

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
  const Result<StrategyWish> wished = parse_wish(wish);
  if (!wished) return wished.error();
  return jit::describe_strategy(plan, {.backend = *wanted, .strategy = *wished});
}

}  // namespace pto::jit::cli
