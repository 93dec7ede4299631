#include "jit/compile/compile.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/backends/watching/written_code.h"
#include "jit/compile/static_twin.h"
#include "jit/options/environment.h"
#include "runtime/bindings/bound_kernels.h"
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
  std::uint32_t bind_after = 0;
  std::uint64_t maker = 0;  // names all of it in cache keys
};

Backend settle(Backend asked, Backend preferred) {
  const Backend wanted = asked == Backend::Auto ? preferred : asked;
  return wanted == Backend::Auto ? best_backend() : wanted;
}

// LLVM takes milliseconds for a kernel, too long for a call to wait for, and the interpreter gains
// nothing. A part's frame is made for the general plan, whose loops a static one need not have; an
// audit's pass alone reads indices, which no extent makes faster.
std::uint32_t settle_binding(const CompileOptions& options, std::optional<std::uint32_t> preferred,
                             Backend backend) {
  if (options.kind != KernelKind::Whole) return 0;
  const std::uint32_t best = backend == Backend::Xbyak ? kBindAfter : 0;
  return options.bind_after.value_or(preferred.value_or(best));
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

Diagnostic too_late(std::uint32_t calls) {
  return error("option.bind_after", "a binding cannot wait for " + std::to_string(calls) +
                                        " calls, only for " + std::to_string(kMostBindAfter));
}

Result<Choice> choose(const CompileOptions& options) {
  const Result<Environment>& given = environment();
  if (!given) return given.error();
  if (!is_heard(given->strategy)) return idle_strategy(best_backend());
  if (auto flaw = beyond("option.backend", "backend", options.backend, Backend::Interpreter))
    return *flaw;
  if (auto flaw = beyond("option.level", "level", options.level, FeatureLevel::Neon)) return *flaw;
  if (auto flaw = beyond("option.kind", "kind", options.kind, KernelKind::Audit)) return *flaw;
  if (options.bind_after > kMostBindAfter) return too_late(*options.bind_after);
  if (const std::string why = why_without(host_features(), options.level); !why.empty())
    return error("compile.level", why);
  const bool has_own_wish = !(options.strategy == StrategyWish{});
  const Result<Done> checked = check(options.strategy);
  if (!checked) return checked.error();
  const Backend backend = settle(options.backend, given->backend);
  if (has_own_wish && !hears(backend, options.strategy)) return idle_strategy(backend);
  Choice choice{.backend = backend,
                .host = with_level(with_level(host_features(), given->features), options.level),
                .wish = has_own_wish ? options.strategy : given->strategy,
                .is_cached = !has_own_wish,
                .kind = options.kind,
                .bind_after = settle_binding(options, given->bind_after, backend)};
  choice.maker =
      (std::uint64_t{choice.host.bits()} << 32) | (std::uint64_t{choice.bind_after} << 16) |
      (static_cast<std::uint64_t>(choice.kind) << 8) | static_cast<std::uint64_t>(choice.backend);
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

Result<Kernel> make_of(const LegalSpec& legal, const Choice& choice);

// Static kernels for bindings of a spec, by all that was chosen for the spec itself.
class BoundSpecs final : public BindingMaker {
 public:
  BoundSpecs(const LegalSpec& legal, const Choice& choice, std::vector<Dim> dims)
      : legal_(legal), choice_(choice), dims_(std::move(dims)) {}

  std::optional<Kernel> make(const Frame& frame) override {
    std::optional<Kernel> kernel;
    try {
      kernel = twin_of(frame);
    } catch (...) {
      kernel_cache().count_binding(false);
      throw;
    }
    kernel_cache().count_binding(kernel.has_value());
    return kernel;
  }

  std::optional<Kernel> make_shortcut(const Shortcut& shortcut) override {
    return jit::make_shortcut(choice_.backend, shortcut);
  }

 private:
  std::optional<Kernel> twin_of(const Frame& frame) const {
    const std::optional<KernelSpec> spec = static_twin(legal_, frame, dims_);
    if (!spec) return std::nullopt;
    const Result<Kernel> kernel = static_kernel(*spec);
    return kernel ? std::optional(*kernel) : std::nullopt;
  }

  Result<Kernel> static_kernel(const KernelSpec& spec) const {
    const auto make = [&]() -> Result<Kernel> {
      const Result<LegalSpec> legal = verify(spec);
      return legal ? make_of(*legal, choice_) : legal.error();
    };
    if (!choice_.is_cached) return make();
    return kernel_cache().get_or_make_beside({spec, choice_.maker}, make);
  }

  LegalSpec legal_;
  Choice choice_;
  std::vector<Dim> dims_;
};

Result<Kernel> make_of(const LegalSpec& legal, const Choice& choice) {
  const KernelPlan plan = plan_of(choice.kind, make_plan(legal));
  Result<Kernel> general =
      make_kernel(choice.backend, {legal.spec(), plan, choice.host, choice.wish, choice.kind});
  if (!general || choice.bind_after == 0) return general;
  const std::vector<Dim> dims = dims_read(plan);
  if (dims.empty()) return general;
  return with_bound_kernels(*general, {legal.spec(), dims, choice.bind_after},
                            std::make_unique<BoundSpecs>(legal, choice, dims));
}

// The kernel of a spec. `judge` gives the verdict on it when there is no kernel yet.
template <class Judge>
Result<Kernel> find_or_make(const KernelSpec& spec, const CompileOptions& options, Judge&& judge) {
  const bool is_default = options == CompileOptions{};
  const Result<Choice> choice = is_default ? default_choice() : choose(options);
  if (!choice) return choice.error();
  const auto make = [&]() -> Result<Kernel> {
    const Result<LegalSpec> legal = judge();
    return legal ? make_of(*legal, *choice) : legal.error();
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
