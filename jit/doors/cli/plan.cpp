// ptojit plan: what a legal spec means, with its target no longer mentioned.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "ir/plan_steps.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/named_options.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

struct PlanOptions {
  std::string spec;
  Result<std::optional<Backend>> backend = std::optional<Backend>();  // nothing: the plan alone
  Result<std::optional<StrategyWish>> wish = std::optional<StrategyWish>();
  bool json = false;
};

Result<std::optional<Backend>> parse_shown_backend(const std::string& name) {
  const Result<Backend> backend = parse_backend(name);
  if (!backend) return backend.error();
  return std::optional(*backend);
}

// Empty when neither a backend nor a wish was named.
Result<std::string> strategy_of(const KernelPlan& plan, const PlanOptions& options) {
  if (!options.backend) return options.backend.error();
  if (!options.wish) return options.wish.error();
  const Backend backend = options.backend->value_or(Backend::Auto);
  if (!*options.wish && !*options.backend) return std::string();
  const Result<CompileOptions> made = compile_options(backend, *options.wish);
  if (!made) return made.error();
  return describe_strategy(plan, *made);
}

std::string as_json(const LegalSpec& legal, const KernelPlan& plan, const std::string& strategy) {
  nlohmann::json steps = nlohmann::json::object();
  for (const PlanStep& step : steps_of(plan, legal.spec().op))
    steps[std::string(step.label)] = step.text;
  nlohmann::json out = {{"spec", print(legal.spec())}, {"plan", steps}};
  if (!strategy.empty()) out["strategy"] = strategy;
  return printed(out);
}

std::string as_text(const LegalSpec& legal, const KernelPlan& plan, const std::string& strategy) {
  return print(legal.spec()) + "\n" + print(plan, legal.spec().op) +
         (strategy.empty() ? "" : "strategy  " + strategy + "\n");
}

Outcome show_plan(const PlanOptions& options) {
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const KernelPlan plan = make_plan(*legal);
  const Result<std::string> strategy = strategy_of(plan, options);
  if (!strategy) return unusable(strategy.error());
  return {.output = (options.json ? as_json : as_text)(*legal, plan, *strategy)};
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  const auto options = std::make_shared<PlanOptions>();
  Arguments command(app, "plan", "Print what a kernel does, step by step");
  command.take_spec(options->spec);
  command.take("--backend", options->backend, parse_shown_backend,
               "Also say how this backend goes about it");
  command.take("--strategy", options->wish, parse_strategy,
               "Of xbyak, what to do otherwise: form=lanes,group=4,prefetch=0,aside=0,scan=0,"
               "strip=0,backward=0,stream=0,string=0 or parts of it");
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options] {
    run_command(session, [&] { return show_plan(*options); }, options->json);
  });
}

}  // namespace pto::jit::cli
