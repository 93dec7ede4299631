#include "jit/cli/command.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ir/spec_text.h"

namespace pto::jit::cli {
namespace {

constexpr const char* kAbout =
    "Kernel specs for indexed data movement on Ascend NPUs: checked, explained, run on the host.\n"
    "A spec looks like: a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

nlohmann::json to_json(const Diagnostic& diagnostic) {
  nlohmann::json out = {{"severity", diagnostic.severity == Severity::Error ? "error" : "note"},
                        {"id", diagnostic.id},
                        {"message", diagnostic.message}};
  if (!diagnostic.rule.empty()) out["rule"] = diagnostic.rule;
  if (!diagnostic.from.empty()) out["from"] = diagnostic.from;
  if (!diagnostic.suggestion.empty()) out["try"] = diagnostic.suggestion;
  if (diagnostic.at)
    out["at"] = {{"begin", diagnostic.at->begin}, {"length", diagnostic.at->length}};
  return out;
}

}  // namespace

nlohmann::json to_json(const Diagnostics& diagnostics) {
  nlohmann::json out = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics) out.push_back(to_json(diagnostic));
  return out;
}

void report(Session& session, const Ending& ending, bool json) {
  constexpr std::array<const char*, 3> kNames = {"done", "illegal", "unusable"};
  session.exit = ending.exit;
  if (!json) {
    session.err << render(ending.diagnostics, ending.text);
    return;
  }
  const nlohmann::json out = {{"verdict", kNames[static_cast<std::size_t>(ending.exit)]},
                              {"diagnostics", to_json(ending.diagnostics)}};
  session.out << out.dump(2) << "\n";
}

void fail(Session& session, Exit exit, const Diagnostics& diagnostics, std::string_view text) {
  session.err << render(diagnostics, text);
  session.exit = exit;
}

std::optional<KernelSpec> read_spec(Session& session, const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  if (spec) return *spec;
  fail(session, Exit::Unusable, spec.error(), text);
  return std::nullopt;
}

int run_tool(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Session session{out, err};
  CLI::App app{kAbout, "ptojit"};
  app.require_subcommand(1);
  add_audit(app, session);
  add_bench(app, session);
  add_check(app, session);
  add_diff(app, session);
  add_emit(app, session);
  add_plan(app, session);
  add_run(app, session);
  add_targets(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    const int code = app.exit(problem, out, err);
    return code == 0 ? 0 : static_cast<int>(Exit::Unusable);
  }
  return static_cast<int>(session.exit);
}

}  // namespace pto::jit::cli
