// ptojit check: the verdict of a target on a spec.
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "ir/spec_text.h"
#include "jit/cli/arguments.h"
#include "jit/cli/command.h"
#include "targets/verify.h"

namespace pto::jit::cli {
namespace {

struct CheckOptions {
  std::string spec;
  bool json = false;
};

std::string verdict_json(const Outcome& outcome, const Result<KernelSpec>& spec) {
  constexpr std::array<const char*, 3> kNames = {"legal", "illegal", "unusable"};
  nlohmann::json out = {{"verdict", kNames[static_cast<std::size_t>(outcome.exit)]},
                        {"diagnostics", to_json(outcome.diagnostics)}};
  if (spec) out["spec"] = print(*spec);
  return printed(out);
}

Outcome check(const CheckOptions& options) {
  const Result<KernelSpec> spec = parse(options.spec);
  const Result<LegalSpec> legal = spec ? verify(*spec) : Result<LegalSpec>(spec.error());
  Outcome out =
      legal ? Outcome{.diagnostics = notes_on(*legal)} : refused(legal.error(), options.spec);
  if (options.json) {
    out.output = verdict_json(out, spec);
  } else if (legal) {
    out.output = "legal: " + print(*spec) + "\n" + render(out.diagnostics);
  }
  return out;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  const auto options = std::make_shared<CheckOptions>();
  Arguments command(
      app, "check",
      "Say whether the target takes a spec, by which rule not, and what it would take");
  command.take_spec(options->spec);
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options] { report(session, check(*options)); });
}

}  // namespace pto::jit::cli
