#include "jit/compile.h"

#include <algorithm>
#include <array>
#include <string>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "jit/backend.h"
#include "jit/environment.h"
#include "jit/watching/written_code.h"
#include "runtime/cache/kernel_cache.h"
#include "runtime/made_once.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

// What the options come to on this host and in this environment.
struct Choice {
  Backend backend = Backend::Interpreter;
  HostFeatures host;
  StrategyWish wish;
  bool is_cached = true;
  KernelKind kind = KernelKind::Whole;
  std::uint64_t maker = 0;  // names all of it in cache keys
};

Backend settle(Backend asked, Backend preferred) {
  const Backend wanted = asked == Backend::Auto ? preferred : asked;
  return wanted == Backend::Auto ? best_backend() : wanted;
}

// Only code for x86-64 has strategies to wish for; of LLVM lanes can be had, which follow indices
// that nothing checks.
bool hears(Backend backend, const StrategyWish& wish) {
  return backend == Backend::Xbyak ||
         (backend == Backend::Llvm && wish == StrategyWish{.form = UnitForm::Lanes});
}

Diagnostic idle_strategy(Backend backend) {
  return error("option.strategy", "a strategy has no effect on " + std::string(name_of(backend)) +
                                      "; it goes with xbyak, which is for x86-64");
}

// What the environment wishes is for whoever can do it; one of them must be there.
bool is_heard(const StrategyWish& wish) {
  if (wish == StrategyWish{}) return true;
  return std::ranges::any_of(std::array{Backend::Xbyak, Backend::Llvm}, [&](Backend backend) {
    return has_backend(backend) && hears(backend, wish);
  });
}

Result<Choice> choose(const CompileOptions& options) {
  const Result<Environment>& given = environment();
  if (!given) return given.error();
  if (!is_heard(given->strategy)) return idle_strategy(best_backend());
  if (auto flaw = beyond("option.backend", "backend", options.backend, Backend::Interpreter))
    return *flaw;
  if (auto flaw = beyond("option.level", "level", options.level, FeatureLevel::Neon)) return *flaw;
  if (auto flaw = beyond("option.kind", "kind", options.kind, KernelKind::Audit)) return *flaw;
  if (const std::string why = why_without(host_features(), options.level); !why.empty())
    return error("compile.level", why);
  const bool has_own_wish = !(options.strategy == StrategyWish{});
  const Result<Done> checked = check(options.strategy);
  if (!checked) return checked.error();
  const Backend backend = settle(options.backend, given->backend);
  if (has_own_wish && !hears(backend, options.strategy)) return idle_strategy(backend);
  Choice choice{backend,       {},           has_own_wish ? options.strategy : given->strategy,
                !has_own_wish, options.kind, 0};
  choice.host = with_level(with_level(host_features(), given->features), options.level);
  choice.maker = (std::uint64_t{choice.host.bits()} << 32) |
                 (static_cast<std::uint64_t>(choice.kind) << 8) |
                 static_cast<std::uint64_t>(choice.backend);
  return choice;
}

// Settled once: a hit with default options should not pay for it.
const Result<Choice>& default_choice() {
  static constinit MadeOnce<const Result<Choice>> choice;
  return choice.get([] { return std::make_unique<const Result<Choice>>(choose({})); });
}

KernelCache& kernel_cache() {
  static constinit MadeOnce<KernelCache> cache;
  return cache.get([] {
    return std::make_unique<KernelCache>(environment() ? environment()->cache : CacheLimits{});
  });
}

// The kernel of a spec. `judge` gives the verdict on it when there is no kernel yet.
template <class Judge>
Result<Kernel> find_or_make(const KernelSpec& spec, const CompileOptions& options, Judge&& judge) {
  const bool is_default = options == CompileOptions{};
  const Result<Choice> choice = is_default ? default_choice() : choose(options);
  if (!choice) return choice.error();
  const auto make = [&]() -> Result<Kernel> {
    const Result<LegalSpec> legal = judge();
    if (!legal) return legal.error();
    const KernelPlan plan = plan_of(choice->kind, make_plan(*legal));
    return make_kernel(choice->backend,
                       {legal->spec(), plan, choice->host, choice->wish, choice->kind});
  };
  if (!choice->is_cached) return make();
  if (const Kernel* known = kernel_cache().borrow(spec, choice->maker)) return *known;
  if (!flaws_of(spec).empty()) return make();  // which says so; their canonical form may be cached
  return kernel_cache().get_or_make({canonical(spec), choice->maker}, make);
}

}  // namespace

CacheStatistics cache_statistics() { return kernel_cache().statistics(); }

void clear_cache() { kernel_cache().clear(); }

Result<Kernel> compile(const KernelSpec& spec, const CompileOptions& options) {
  return find_or_make(spec, options, [&] { return verify(spec); });
}

Result<Kernel> compile(const LegalSpec& legal, const CompileOptions& options) {
  return find_or_make(legal.spec(), options, [&] { return Result<LegalSpec>(legal); });
}

Result<Kernel> compile(std::string_view text, const CompileOptions& options) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return spec.error();
  return compile(*spec, options);
}

Result<std::string> describe_strategy(const KernelPlan& plan, const CompileOptions& options) {
  const Result<Choice> choice = choose(options);
  if (!choice) return choice.error();
  return describe_strategy(choice->backend, {KernelSpec{}, plan, choice->host, choice->wish});
}

Result<WrittenCode> written_code(const KernelPlan& plan, FeatureLevel level) {
  const Result<Choice> choice = choose({.backend = Backend::Xbyak, .level = level});
  if (!choice) return choice.error();
  return write_code(choice->backend, {KernelSpec{}, plan, choice->host, choice->wish});
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
