#include "jit/compile.h"

#include <string>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "jit/dump.h"
#include "jit/strategy.h"
#include "jit/xbyak/assemble.h"
#include "runtime/code_arena.h"
#include "runtime/code_registration.h"
#include "runtime/environment.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

// Counts up with every change of what generated code looks like or expects.
constexpr std::uint64_t kGenerator = 2;

#if defined(__x86_64__)
constexpr bool kHostRunsXbyak = true;
#else
constexpr bool kHostRunsXbyak = false;
#endif

// What the options come to on this host and in this environment.
struct Choice {
  Backend backend = Backend::Interpreter;
  HostFeatures host;
  StrategyWish wish;
  bool is_cached = true;
  std::uint64_t maker = 0;  // names all of it in cache keys
};

Backend settle(Backend asked, Backend preferred) {
  const Backend wanted = asked == Backend::Auto ? preferred : asked;
  if (wanted != Backend::Auto) return wanted;
  return kHostRunsXbyak ? Backend::Xbyak : Backend::Interpreter;
}

Result<Choice> choose(const CompileOptions& options) {
  const Result<Environment>& given = environment();
  if (!given) return given.error();
  if (!has_level(host_features(), options.level)) {
    return error("compile.level",
                 "this host cannot run code for " + std::string(name_of(options.level)));
  }
  const bool has_own_wish = !(options.strategy == StrategyWish{});
  const Result<StrategyWish> wish = parse_wish(given->strategy);
  if (!wish) return wish.error();
  Choice choice{settle(options.backend, given->backend),
                {},
                has_own_wish ? options.strategy : *wish,
                !has_own_wish,
                0};
  choice.host = with_level(with_level(host_features(), given->features), options.level);
  choice.maker = (std::uint64_t{choice.host.bits()} << 32) | (kGenerator << 8) |
                 static_cast<std::uint64_t>(choice.backend);
  return choice;
}

// Settled once: a hit with default options should not pay for it.
const Result<Choice>& default_choice() {
  static const Result<Choice> choice = choose({});
  return choice;
}

CodeArena& code_arena() {
  static CodeArena arena(
      {.limit = environment() ? environment()->arena_bytes : ArenaOptions{}.limit});
  return arena;
}

std::string_view level_of(const Strategy& strategy) {
  return name_of(strategy.avx512 ? FeatureLevel::Avx512
                 : strategy.avx2 ? FeatureLevel::Avx2
                                 : FeatureLevel::Baseline);
}

// A dump that cannot be written is an error of the environment, like any other of its values.
Result<Done> dump(const KernelSpec& spec, const KernelPlan& plan, const Strategy& strategy,
                  std::span<const std::byte> code) {
  const std::string& directory = environment()->dump;
  if (directory.empty()) return Done{};
  return dump_kernel(directory, {print(spec), print(plan), print(strategy),
                                 std::string(level_of(strategy)), code});
}

Result<CodeRegistration> make_known(const KernelSpec& spec, const CodeBlock& block) {
  const ToolOptions tools = environment()->tools;
  if (tools == ToolOptions{}) return CodeRegistration();
  return register_code(print(spec), block.entry(), block.size(), tools);
}

Result<Kernel> make_xbyak(const KernelSpec& spec, const KernelPlan& plan, const Choice& choice) {
  if (!kHostRunsXbyak) return error("compile.backend", "the xbyak backend needs an x86-64 host");
  const Strategy strategy = choose_strategy(plan, choice.host, choice.wish);
  const auto code = xbyak::assemble(plan, strategy);
  if (!code) return code.error();
  if (Result<Done> written = dump(spec, plan, strategy, *code); !written) return written.error();
  Result<CodeBlock> block = code_arena().publish(*code);
  if (!block) return block.error();
  Result<CodeRegistration> known_as = make_known(spec, *block);
  if (!known_as) return known_as.error();
  return make_code_kernel(std::move(*block), Backend::Xbyak, spec, std::move(*known_as));
}

Result<Kernel> make(const KernelSpec& spec, const Choice& choice) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  const KernelPlan plan = make_plan(*legal);
  switch (choice.backend) {
    case Backend::Auto:
    case Backend::Xbyak: return make_xbyak(legal->spec(), plan, choice);
    case Backend::Llvm: return error("compile.backend", "this build has no llvm backend");
    case Backend::Interpreter: return make_interpreter_kernel(plan, legal->spec());
  }
  __builtin_unreachable();
}

Result<Kernel> compile(const KernelSpec& spec, const Choice& choice) {
  if (!choice.is_cached) return make(spec, choice);
  if (const Kernel* known = kernel_cache().borrow(spec, choice.maker)) return *known;
  const CacheKey key{canonical(spec), choice.maker};
  return kernel_cache().get_or_make(key, [&] { return make(spec, choice); });
}

}  // namespace

KernelCache& kernel_cache() {
  static KernelCache cache(environment() ? environment()->cache : CacheLimits{});
  return cache;
}

Result<Kernel> compile(const KernelSpec& spec, const CompileOptions& options) {
  const bool is_default = options == CompileOptions{};
  const Result<Choice> choice = is_default ? default_choice() : choose(options);
  if (!choice) return choice.error();
  return compile(spec, *choice);
}

Result<Kernel> compile(std::string_view text, const CompileOptions& options) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return spec.error();
  return compile(*spec, options);
}

Result<Strategy> strategy_for(const KernelPlan& plan, const CompileOptions& options) {
  const Result<Choice> choice = choose(options);
  if (!choice) return choice.error();
  return choose_strategy(plan, choice->host, choice->wish);
}

Result<Done> invoke(const KernelSpec& spec, const Frame& frame) {
  const Result<Choice>& choice = default_choice();
  if (choice) {
    if (const Kernel* known = kernel_cache().borrow(spec, choice->maker)) {
      (*known)(frame);
      return Done{};
    }
  }
  return invoke(spec, frame, {});
}

Result<Done> invoke(const KernelSpec& spec, const Frame& frame, const CompileOptions& options) {
  const Result<Kernel> kernel = compile(spec, options);
  if (!kernel) return kernel.error();
  (*kernel)(frame);
  return Done{};
}

}  // namespace pto::jit
