#include "jit/tools/tool.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <new>
#include <ostream>
#include <system_error>

#include "jit/options/environment.h"
#include "jit/version.h"

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

// Output that cannot be written makes the command fail.
bool is_written(Session& session) {
  errno = 0;
  if (session.out.flush()) return true;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  session.err << render({error("output.lost", "the output could not be written" + why)});
  return false;
}

}  // namespace

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
