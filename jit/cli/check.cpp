// ptojit check: the verdict of a target on a spec.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ir/spec_text.h"
#include "jit/cli/command.h"
#include "targets/verify.h"

namespace pto::jit::cli {
namespace {

struct CheckOptions {
  std::string spec;
  bool json = false;
};

struct Verdict {
  Exit exit = Exit::Good;
  std::string canonical;  // empty when the text could not be read
  Diagnostics diagnostics;
};

Verdict judge(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return {Exit::Unusable, {}, spec.error()};
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return {Exit::Broken, print(*spec), legal.error()};
  return {Exit::Good, print(*spec), notes_on(*legal)};
}

void print_json(Session& session, const Verdict& verdict) {
  constexpr std::array<const char*, 3> kNames = {"legal", "illegal", "unusable"};
  nlohmann::json out = {{"verdict", kNames[static_cast<std::size_t>(verdict.exit)]},
                        {"diagnostics", to_json(verdict.diagnostics)}};
  if (!verdict.canonical.empty()) out["spec"] = verdict.canonical;
  session.out << out.dump(2) << "\n";
}

void check(Session& session, const CheckOptions& options) {
  const Verdict verdict = judge(options.spec);
  session.exit = verdict.exit;
  if (options.json) return print_json(session, verdict);
  if (verdict.exit != Exit::Good) {
    session.err << render(verdict.diagnostics, options.spec);
    return;
  }
  session.out << "legal: " << verdict.canonical << "\n" << render(verdict.diagnostics);
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "Say whether the target takes a spec, by which rule not, and what it would take");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_flag("--json", options->json, "Machine-readable output");
  command->callback([&session, options] { check(session, *options); });
}

}  // namespace pto::jit::cli
