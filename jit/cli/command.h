// What every command of the tool shares: exit codes, output and the shape of its JSON.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "ir/diagnostic.h"
#include "ir/result.h"
#include "ir/spec.h"

// Parsing arguments and writing JSON take long to compile: only what does so includes their
// headers.
namespace CLI {
class App;
}

namespace pto::jit::cli {

enum class Exit : int { Good = 0, Broken = 1, Unusable = 2 };

// Where a command writes, and how it ended.
struct Session {
  std::ostream& out;
  std::ostream& err;
  Exit exit = Exit::Good;
};

// How a command that was carried out, or not, came out.
struct Ending {
  Exit exit = Exit::Good;
  Diagnostics diagnostics;  // after Exit::Good notes only
  std::string text;         // what the diagnostics point into
};

nlohmann::json to_json(const Diagnostics& diagnostics);

// Writes an ending, for a person or as JSON, and sets the exit code.
void report(Session& session, const Ending& ending, bool json);

// The spec a text names. On failure the diagnostics have been written and the exit code set.
std::optional<KernelSpec> read_spec(Session& session, const std::string& text);

// Writes diagnostics for a person and sets the exit code.
void fail(Session& session, Exit exit, const Diagnostics& diagnostics, std::string_view text = {});

// Each adds one subcommand to the tool.
void add_audit(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_diff(CLI::App& app, Session& session);
void add_emit(CLI::App& app, Session& session);
void add_plan(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_targets(CLI::App& app, Session& session);

// The whole tool: parses arguments, runs a command, returns the exit code.
int run_tool(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace pto::jit::cli
