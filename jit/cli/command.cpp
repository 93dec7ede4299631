#include "jit/cli/command.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "ir/spec_text.h"
#include "jit/environment.h"
#include "jit/version.h"
#include "runtime/operands.h"

namespace pto::jit::cli {
namespace {

constexpr const char* kAbout =
    "Kernel specs for indexed data movement on Ascend NPUs: checked, explained, run on the host.\n"
    "A spec looks like: a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

std::string environment_help() {
  std::string out = "Environment:\n";
  for (const Variable& variable : variables()) {
    if (variable.member.empty()) continue;
    std::string name(variable.name);
    name.resize(26, ' ');
    out.append("  ").append(name).append(variable.does).append(": ").append(variable.values);
    out += "\n";
  }
  return out;
}

// Before any command: no value of a variable is left out of account, and no name misread in
// silence.
void check_environment(Session& session) {
  session.err << render(unknown_variables());
  if (environment()) return;
  report(session, unusable(environment().error()));
  throw CLI::RuntimeError(static_cast<int>(session.exit));
}

// An answer that nobody got is none, whatever it said.
bool is_written(Session& session) {
  errno = 0;
  if (session.out.flush()) return true;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  session.err << render({error("output.lost", "the output could not be written" + why)});
  return false;
}

}  // namespace

nlohmann::json to_json(const Diagnostics& diagnostics) {
  return nlohmann::json::parse(json_of(diagnostics));
}

std::string printed(const nlohmann::json& json) { return json.dump(2) + "\n"; }

Outcome refused(const Diagnostics& why, const std::string& spec_text,
                const std::string& bind_text) {
  const bool is_bind = !why.empty() && why[0].id.starts_with("bind.");
  return {are_broken_rules(why) ? Exit::Broken : Exit::Unusable, why,
          is_bind ? bind_text : spec_text};
}

Outcome unusable(const Diagnostics& why, const std::string& text) {
  return {Exit::Unusable, why, text};
}

void report(Session& session, const Outcome& outcome, bool json) {
  constexpr std::array<const char*, 3> kNames = {"done", "illegal", "unusable"};
  session.exit = outcome.exit;
  if (!outcome.output.empty()) {
    session.out << outcome.output;
  } else if (json) {
    session.out << printed({{"verdict", kNames[static_cast<std::size_t>(outcome.exit)]},
                            {"diagnostics", to_json(outcome.diagnostics)}});
  } else {
    session.err << render(outcome.diagnostics, outcome.text);
  }
}

void run_command(Session& session, const std::function<Outcome()>& command, bool json) {
  try {
    report(session, command(), json);
  } catch (const std::bad_alloc&) {
    report(session, unusable({out_of_memory("this command")}), json);
  }
}

Result<LegalSpec> read_spec(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return spec.error();
  return verify(*spec);
}

int run_tool(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
             GroupRunner run_group) try {
  Session session{out, err, run_group};
  CLI::App app{kAbout, "ptojit"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "ptojit " PTOJIT_VERSION);
  add_audit(app, session);
  add_bench(app, session);
  add_check(app, session);
  add_diff(app, session);
  add_emit(app, session);
  add_explain(app, session);
  add_plan(app, session);
  add_run(app, session);
  add_targets(app, session);
  app.footer(environment_help());
  app.parse_complete_callback([&] { check_environment(session); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    const int code = app.exit(problem, out, err);
    session.exit = code == 0 ? Exit::Good : Exit::Unusable;
  }
  return static_cast<int>(is_written(session) ? session.exit : Exit::Unusable);
} catch (const std::bad_alloc&) {  // not even memory to read the command
  err << "error[memory.allocate]: there is not enough memory\n";
  return static_cast<int>(Exit::Unusable);
}

}  // namespace pto::jit::cli
