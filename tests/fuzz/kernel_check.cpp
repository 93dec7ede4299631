#include "tests/fuzz/kernel_check.h"

#include <optional>

#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/backends/backend.h"
#include "jit/text/emit_source.h"
#include "targets/planner.h"
#include "tests/fuzz/plant.h"
#include "tests/support/deck.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kMostBytes = 1 << 17;  // of all operands together
constexpr std::int32_t kMostRanks = 16;

// The stage of a group counts too: workloads have memory for it.
bool is_small(const KernelSpec& bound, const KernelPlan& plan) {
  if (plan.ranks > kMostRanks) return false;
  const Frame frame = frame_of(bound);
  std::int64_t bytes = 0;
  for (const Operand& operand : operands_of(bound.op))
    bytes = saturating_sum(bytes, storage_bytes(bound, operand.role, plan, frame));
  return bytes <= kMostBytes;
}

template <class Value, std::size_t kCount>
Value pick(const std::array<Value, kCount>& values, Random& random) {
  return values[random.below(kCount)];
}

FeatureLevel any_level(Random& random) {
  constexpr std::array kLevels = {FeatureLevel::Native, FeatureLevel::Avx512, FeatureLevel::Avx2,
                                  FeatureLevel::Baseline};
  const FeatureLevel level = pick(kLevels, random);
  return has_level(host_features(), level) ? level : FeatureLevel::Native;
}

// Every second one is none; thresholds are so low that small workloads reach what lies behind.
StrategyWish any_wish(Random& random) {
  using Number = std::optional<std::int64_t>;
  constexpr std::array<Number, 6> kThresholds = {Number(),  Number(),    Number(0),
                                                 Number(1), Number(100), Number(200)};
  StrategyWish out;
  if (random.below(2) == 0) return out;
  if (random.below(3) != 0) out.form = static_cast<UnitForm>(random.below(6));
  out.group = pick(std::array<Number, 4>{Number(), 1, 4, 8}, random);
  out.prefetch = pick(std::array<Number, 4>{Number(), 0, 1, 16}, random);
  out.backward = pick(kThresholds, random);
  out.stream_from = pick(kThresholds, random);
  out.string_from = pick(kThresholds, random);
  out.lines = pick(std::array<Number, 4>{Number(), 1, 3, 64}, random);
  return out;
}

std::string complaint_about_run(const Workload& load, const Kernel& kernel) {
  const Image expected = run_model(load);
  for (const Guard guard : {Guard::Behind, Guard::Before}) {
    const auto by_plan = [&](const Frame& frame) { interpret(load.plan, frame); };
    const std::string meaning = difference(load, expected, run_guarded(load, guard, by_plan));
    if (!meaning.empty()) return "the interpreter: " + meaning;
    const std::string found = difference(load, expected, run_guarded(load, guard, kernel));
    if (!found.empty()) return "the code: " + found;
  }
  return "";
}

// A diagnostic is as good as a text; anything else is not an answer.
std::string complaint_about_source(const KernelSpec& spec, Random& random) {
  const auto form = static_cast<SourceForm>(random.below(4));
  const Result<std::string> text = emit_source(spec, {.form = form});
  const bool is_answer = text ? !text->empty() : !text.error().empty();
  return is_answer ? "" : "neither a text nor a diagnostic for " + print(spec);
}

std::optional<Workload> any_workload(const LegalSpec& legal, const KernelPlan& plan,
                                     Random& random) {
  const std::vector<KernelSpec> bindings = bindings_for(legal);
  if (bindings.empty()) return std::nullopt;
  const KernelSpec& bound = bindings[random.below(bindings.size())];
  if (!is_small(bound, plan)) return std::nullopt;
  const auto seed = static_cast<std::uint32_t>(random.next());
  const std::optional<Workload> load = make_workload(legal, bound, pick(kPatterns, random), seed);
  return load ? load : make_workload(legal, bound, Pattern::Sequential, seed);
}

}  // namespace

std::string complaint_about_kernel(const LegalSpec& legal, std::uint64_t number, Tally& tally) {
  Random random(number);
  KernelPlan plan = make_plan(legal);
  if (print(plan).empty()) return "no plan for " + print(legal.spec());
  const HostFeatures host = with_level(host_features(), any_level(random));
  StrategyWish wish = any_wish(random);
  const std::optional<Workload> load = any_workload(legal, plan, random);
  if (planted()) planted()->spoil(legal.spec(), plan, wish);
  const std::string about = "\n  strategy " + print(wish) + "\n  " + print(legal.spec());
  const Result<Kernel> kernel = make_kernel(best_backend(), {legal.spec(), plan, host, wish});
  if (!kernel) return "not compiled: " + render(kernel.error()) + about;
  tally.add_compiled(legal.spec());
  const std::string source = complaint_about_source(legal.spec(), random);
  if (!source.empty() || !load) return source;
  ++tally.run;
  const std::string found = complaint_about_run(*load, *kernel);
  return found.empty() ? "" : found + about;
}

}  // namespace pto::jit::tests
