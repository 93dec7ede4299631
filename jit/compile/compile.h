// compile: from a spec to a kernel that can be called, found again by its spec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "jit/backends/kernel_kind.h"
#include "jit/options/strategy_wish.h"
#include "runtime/cache/cache_limits.h"
#include "runtime/host/host_features.h"
#include "runtime/kernel.h"

namespace pto::jit {

class LegalSpec;

struct CompileOptions {
  Backend backend = Backend::Auto;            // an explicit one never falls back to another
  FeatureLevel level = FeatureLevel::Native;  // one the host lacks is an error
  StrategyWish strategy = {};  // for tests and measurements: a kernel made to a wish is not cached
  KernelKind kind = KernelKind::Whole;  // others: for whoever calls a kernel part by part
  // Values of runtime dimensions get a kernel of their own with about this call of them; 0: never.
  // Nothing: as the environment says, else kBindAfter with xbyak and never with other backends.
  std::optional<std::uint32_t> bind_after = {};

  bool operator==(const CompileOptions&) const = default;
};

// The kernel of a spec: verified, planned and compiled once, then found in the cache; one that is
// known to be legal is not verified again. Thread-safe.
Result<Kernel> compile(const KernelSpec& spec, const CompileOptions& options = {});
Result<Kernel> compile(const LegalSpec& legal, const CompileOptions& options = {});
Result<Kernel> compile(std::string_view text, const CompileOptions& options = {});

// How the backend of these options goes about a plan in this environment, in one line.
Result<std::string> describe_strategy(const KernelPlan& plan, const CompileOptions& options = {});

// Calls the kernel of a spec, compiling it first when it is new. The frame is taken as it is. The
// quickest way to a kernel that has been called before: nothing is counted, locked or copied.
Result<Done> invoke(const KernelSpec& spec, const Frame& frame);
Result<Done> invoke(const KernelSpec& spec, const Frame& frame, const CompileOptions& options);

// The cache of this process: what it holds and has done; dropping every kernel in it.
CacheStatistics cache_statistics();
void clear_cache();

}  // namespace pto::jit
