// What every command of the tool shares: how it comes out, and how that is written.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/diagnostic.h"
#include "ir/result.h"
#include "targets/verify.h"

namespace CLI {
class App;
}

namespace pto::jit::cli {

enum class Exit : int { Good = 0, Broken = 1, Unusable = 2 };

// How a command came out.
struct Outcome {
  Exit exit = Exit::Good;
  Diagnostics diagnostics = {};  // after Exit::Good notes only
  std::string text = {};         // what the diagnostics point into
  std::string output = {};       // printed instead of the diagnostics, in the form asked for
};

// Why a command was not carried out: Exit::Broken for rules of a target, else Exit::Unusable. What
// is wrong with bindings points into the text of --bind, everything else into the spec's.
Outcome refused(const Diagnostics& why, const std::string& spec_text = {},
                const std::string& bind_text = {});

// The same where the command is no verdict on the spec.
Outcome unusable(const Diagnostics& why, const std::string& text = {});

struct KernelOptions;

// Runs the kernel of a group between the processes that a launcher started.
using GroupRunner = Outcome (*)(const KernelOptions& options);

// Where a command writes, and how it ended.
struct Session {
  std::ostream& out;
  std::ostream& err;
  GroupRunner run_group = nullptr;  // none: this tool knows no processes but its own
  Exit exit = Exit::Good;
};

// Writes an outcome, for a person or as JSON, and sets the exit code.
void report(Session& session, const Outcome& outcome, bool json = false);

// Does what a command does, and reports it. The size of every allocation is up to the user's spec
// and files: what does not fit is an outcome like any other.
void run_command(Session& session, const std::function<Outcome()>& command, bool json);

nlohmann::json to_json(const Diagnostics& diagnostics);
std::string printed(const nlohmann::json& json);

// The legal spec a text names.
Result<LegalSpec> read_spec(const std::string& text);

// Each adds one subcommand to the tool.
void add_audit(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_diff(CLI::App& app, Session& session);
void add_emit(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_plan(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_targets(CLI::App& app, Session& session);

}  // namespace pto::jit::cli
