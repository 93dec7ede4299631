// ptojit audit: the audited variant of a kernel, run for what it finds in the indices. The exit
// code is the verdict: 0 clean, 1 findings, 2 for everything that keeps the audit from being done.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "jit/cli/command.h"
#include "jit/cli/prepared_kernel.h"

namespace pto::jit::cli {
namespace {

// One thing an audit looks for.
struct Question {
  const char* name;  // in JSON
  const char* what;
  const Finding& finding;
};

// Gathers may read a slot as often as they like: nobody asks about their collisions.
std::vector<Question> questions(const PreparedKernel& prepared, const Findings& findings) {
  std::vector<Question> out = {{"out_of_bounds", "out of bounds", findings.out_of_bounds}};
  if (prepared.kernel.plan.audit.counts_collisions)
    out.push_back({"collisions", "colliding with an earlier one", findings.collisions});
  return out;
}

bool is_clean(const Findings& findings) {
  return findings.out_of_bounds.count == 0 && findings.collisions.count == 0;
}

void print_text(Session& session, const PreparedKernel& prepared, const Findings& findings) {
  const std::string all = std::to_string(findings.indices) + " indices";
  for (const Question& question : questions(prepared, findings)) {
    session.out << question.finding.count << " of " << all << " " << question.what;
    if (question.finding.count > 0)
      session.out << "; the first: " << describe(prepared.kernel.spec, question.finding.first);
    session.out << "\n";
  }
}

void print_json(Session& session, const PreparedKernel& prepared, const Findings& findings) {
  nlohmann::json out = {{"verdict", is_clean(findings) ? "clean" : "findings"},
                        {"indices", findings.indices}};
  for (const Question& question : questions(prepared, findings)) {
    nlohmann::json& entry = out[question.name];
    entry["count"] = question.finding.count;
    if (question.finding.count == 0) continue;
    const IndexPlace& first = question.finding.first;
    entry["first"] = {{"position", first.position},
                      {"row", first.row},
                      {"column", first.col},
                      {"index", first.raw}};
  }
  session.out << out.dump(2) << "\n";
}

// A verdict is printed here; what keeps from one is an ending.
Ending audit(Session& session, const KernelOptions& options) {
  const auto prepared = prepare(options, Purpose::Audit);
  if (const Ending* ending = std::get_if<Ending>(&prepared))
    return {Exit::Unusable, ending->diagnostics, ending->text};
  const auto& kernel = std::get<PreparedKernel>(prepared);
  const Result<Findings> findings = call_prepared(kernel, options.backend);
  if (!findings) return {Exit::Unusable, findings.error(), {}};
  (options.json ? print_json : print_text)(session, kernel, *findings);
  return {is_clean(*findings) ? Exit::Good : Exit::Broken, {}, {}};
}

}  // namespace

void add_audit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<KernelOptions>();
  CLI::App* command = app.add_subcommand(
      "audit", "Report indices out of bounds and colliding writes of a kernel's indices");
  add_kernel_options(*command, *options);
  command->callback([&session, options] {
    const Ending ending = if_it_fits([&] { return audit(session, *options); });
    if (ending.exit == Exit::Unusable) return report(session, ending, options->json);
    session.exit = ending.exit;
  });
}

}  // namespace pto::jit::cli
