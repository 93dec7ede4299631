// The backends of this build: which there are, which of them `auto` means, and how each makes a
// kernel.
#pragma once

#include <optional>
#include <string>

#include "ir/plan.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "jit/backends/kernel_kind.h"
#include "jit/backends/watching/written_code.h"
#include "jit/options/strategy_wish.h"
#include "runtime/bindings/shortcut.h"
#include "runtime/host/host_features.h"
#include "runtime/kernel.h"

namespace pto::jit {

// Whether this build makes kernels with it for this host. Auto and the interpreter are always
// there.
bool has_backend(Backend backend);

// What auto comes to: the first there is of xbyak, LLVM and the interpreter.
Backend best_backend();

// Why a backend that is not there cannot be used.
Diagnostic no_backend(Backend backend);

// A legal spec, what it means, the host to make code for, which must run it, and what is to be done
// otherwise than it would be chosen.
struct KernelOrder {
  const KernelSpec& spec;
  const KernelPlan& plan;  // of that kind
  const HostFeatures& host;
  const StrategyWish& wish;
  KernelKind kind = KernelKind::Whole;
};

// What a kernel of that kind means, made of what the whole does.
KernelPlan plan_of(KernelKind kind, const KernelPlan& whole);

Result<Kernel> make_kernel(Backend backend, const KernelOrder& order);

// How a backend goes about an order's plan, in one line.
Result<std::string> describe_strategy(Backend backend, const KernelOrder& order);

// An order's code with what wrote it, where a backend notes that.
Result<WrittenCode> write_code(Backend backend, const KernelOrder& order);

// The code of a shortcut; nothing where a backend has none, or for these values.
std::optional<Kernel> make_shortcut(Backend backend, const Shortcut& shortcut);

// One pair for each backend that a build may lack; defined only where it is there.
Result<Kernel> make_xbyak_kernel(const KernelOrder& order);
Result<WrittenCode> write_xbyak_code(const KernelOrder& order);
std::optional<Kernel> make_xbyak_shortcut(const Shortcut& shortcut);
Result<Kernel> make_llvm_kernel(const KernelOrder& order);
std::string describe_xbyak(const KernelOrder& order);
std::string describe_llvm(const KernelOrder& order);

}  // namespace pto::jit
