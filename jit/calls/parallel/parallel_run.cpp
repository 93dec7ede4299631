#include "jit/calls/parallel/parallel_run.h"

#include <algorithm>
#include <memory>
#include <string>

#include "ir/parts.h"
#include "jit/calls/parallel/part_choice.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

Result<Done> run_whole(const LegalSpec& legal, const Frame& frame, const CompileOptions& options) {
  const Result<Kernel> kernel = compile(legal, options);
  if (!kernel) return kernel.error();
  (*kernel)(frame);
  return Done{};
}

Result<Kernel> compile_kind(const LegalSpec& legal, CompileOptions options, KernelKind kind) {
  options.kind = kind;
  return compile(legal, options);
}

// What has to be there before the first byte is written.
struct Hands {
  WorkPool* pool;
  int threads;
};

Result<Hands> hands_for(const Parallel& parallel) {
  const int most = parallel.pool ? parallel.pool->threads() : usable_threads();
  const int threads = parallel.threads == 0 ? std::max(most, 1) : parallel.threads;
  if (parallel.pool) return Hands{parallel.pool, threads};
  if (threads == 1) return Hands{&in_turn(), 1};
  const Result<WorkPool*> pool = built_in_pool(threads);
  if (!pool) return pool.error();
  return Hands{*pool, threads};
}

// One part, or none: the whole at once.
Dealt dealt_to(const Hands& hands, const KernelPlan& plan, const Frame& frame, int parts) {
  if (parts == 1 || (parts == 0 && hands.threads == 1)) return {};
  return deal_out(plan, frame, {hands.threads, parts}, host_features());
}

Result<Done> run_parts(const LegalSpec& legal, const KernelPlan& plan, const Frame& frame,
                       const InvokeOptions& options) {
  const bool is_asked_for = options.parallel.parts > 1;
  if (!is_asked_for && !is_worth_sharing(plan, frame, host_features()))
    return run_whole(legal, frame, options.compile);
  const Result<Hands> hands = hands_for(options.parallel);
  if (!hands) return hands.error();
  const Dealt dealt = dealt_to(*hands, plan, frame, options.parallel.parts);
  if (dealt.parts.size() <= 1) return run_whole(legal, frame, options.compile);
  const Result<Kernel> part = compile_kind(legal, options.compile, KernelKind::Part);
  if (!part) return part.error();
  if (plan.audit.is_on) {
    const Result<Kernel> audit = compile_kind(legal, options.compile, KernelKind::Audit);
    if (!audit) return audit.error();
    (*audit)(audit_frame(frame));
  }
  hands->pool->run(static_cast<int>(dealt.parts.size()), [&](int number) {
    const PartRange& range = dealt.parts[static_cast<std::size_t>(number)];
    run_part(plan, frame, range, dealt.pieces, *part);
  });
  return Done{};
}

Diagnostic out_of_range(const char* what, int given, int most) {
  return error(std::string("option.") + what, std::to_string(given) + " " + what +
                                                  " cannot be had; it is a number up to " +
                                                  std::to_string(most));
}

// The spec that was invoked last, verified and planned: most calls come back to it.
struct Known {
  KernelSpec spec;
  LegalSpec legal;
  KernelPlan plan;
};

}  // namespace

Result<Done> check(const Parallel& parallel) {
  if (parallel.threads < 0 || parallel.threads > kMostThreads)
    return out_of_range("threads", parallel.threads, kMostThreads);
  if (parallel.parts < 0 || parallel.parts > kMostParts)
    return out_of_range("parts", parallel.parts, kMostParts);
#if !defined(PTOJIT_HAS_TBB)
  if (parallel.threads != 1 && !parallel.pool) return built_in_pool(parallel.threads).error();
#endif
  return Done{};
}

Result<int> parts_of_call(const KernelPlan& plan, const Frame& frame, const Parallel& parallel) {
  if (const Result<Done> checked = check(parallel); !checked) return checked.error();
  const Result<Hands> hands = hands_for(parallel);
  if (!hands) return hands.error();
  const Dealt dealt = dealt_to(*hands, plan, frame, parallel.parts);
  return std::max(static_cast<int>(dealt.parts.size()), 1);
}

Result<Done> run_parallel(const LegalSpec& legal, const KernelPlan& plan, const Frame& frame,
                          const InvokeOptions& options) {
  if (options.parallel == Parallel{}) return run_whole(legal, frame, options.compile);
  if (const Result<Done> checked = check(options.parallel); !checked) return checked.error();
  return run_parts(legal, plan, frame, options);
}

Result<Done> invoke(const KernelSpec& spec, const Frame& frame, const InvokeOptions& options) {
  thread_local std::unique_ptr<const Known> known;
  if (!known || !(known->spec == spec)) {
    const Result<LegalSpec> legal = verify(spec);
    if (!legal) return legal.error();
    known = std::make_unique<const Known>(Known{spec, *legal, make_plan(*legal)});
  }
  return run_parallel(known->legal, known->plan, frame, options);
}

}  // namespace pto::jit
