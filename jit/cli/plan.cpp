// ptojit plan: what a legal spec means, with its target no longer mentioned.
#include "ir/plan.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "ir/spec_text.h"
#include "jit/cli/command.h"
#include "jit/cli/execute.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

struct PlanOptions {
  std::string spec;
  std::string backend;  // empty: the plan alone
  std::string wish;
  bool json = false;
};

struct Shown {
  std::string spec;      // canonical
  std::string plan;      // line by line
  std::string strategy;  // empty when no backend was named
};

Ending show(const PlanOptions& options, Shown& shown) {
  const Result<KernelSpec> spec = parse(options.spec);
  if (!spec) return {Exit::Unusable, spec.error(), options.spec};
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return {Exit::Broken, legal.error(), {}};
  const KernelPlan plan = make_plan(*legal);
  shown = {print(*spec), print(plan), {}};
  if (options.backend.empty()) return {};
  Result<std::string> strategy = describe_strategy(options.backend, plan, options.wish);
  if (!strategy) return {Exit::Unusable, strategy.error(), {}};
  shown.strategy = *strategy;
  return {};
}

// The label of a line and its text.
nlohmann::json to_json(const std::string& plan) {
  nlohmann::json out = nlohmann::json::object();
  std::istringstream lines(plan);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(' ');
    out[line.substr(0, end)] = line.substr(line.find_first_not_of(' ', end));
  }
  return out;
}

void print_json(Session& session, const Shown& shown) {
  nlohmann::json out = {{"spec", shown.spec}, {"plan", to_json(shown.plan)}};
  if (!shown.strategy.empty()) out["strategy"] = shown.strategy;
  session.out << out.dump(2) << "\n";
}

void print_plan(Session& session, const PlanOptions& options) {
  Shown shown;
  const Ending ending = show(options, shown);
  if (ending.exit != Exit::Good) return report(session, ending, options.json);
  if (options.json) return print_json(session, shown);
  session.out << shown.spec << "\n" << shown.plan;
  if (!shown.strategy.empty()) session.out << "strategy  " << shown.strategy << "\n";
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app.add_subcommand("plan", "Print what a kernel does, step by step");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--backend", options->backend, "Also say how this backend goes about it");
  command->add_option("--strategy", options->wish,
                      "What to do otherwise: form=lanes,group=4,prefetch=0,backward=0,stream=0,"
                      "string=0 or parts of it");
  command->add_flag("--json", options->json, "Machine-readable output");
  command->callback([&session, options] { print_plan(session, *options); });
}

}  // namespace pto::jit::cli
