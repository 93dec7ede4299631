// ptojit audit: the audited variant of a kernel, run for what it finds in the indices. The exit
// code is the verdict: 0 clean, 1 findings, 2 for everything that keeps the audit from being done.
#include <memory>
#include <nlohmann/json.hpp>

#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"

namespace pto::jit::cli {
namespace {

// One thing an audit looks for.
struct Question {
  const char* name;  // in JSON
  const char* what;
  const Finding& finding;
};

// Gathers may read a slot as often as they like: nobody asks about their collisions.
std::vector<Question> questions(const BoundSpec& kernel, const Findings& findings) {
  std::vector<Question> out = {{"out_of_bounds", "out of bounds", findings.out_of_bounds}};
  if (kernel.plan().audit.counts_collisions)
    out.push_back({"collisions", "colliding with an earlier one", findings.collisions});
  return out;
}

bool is_clean(const Findings& findings) {
  return findings.out_of_bounds.count == 0 && findings.collisions.count == 0;
}

std::string as_text(const BoundSpec& kernel, const Findings& findings) {
  std::string out;
  for (const Question& question : questions(kernel, findings)) {
    out += std::to_string(question.finding.count) + " of " + std::to_string(findings.indices) +
           " indices " + question.what;
    if (question.finding.count > 0)
      out += "; the first: " + describe(kernel.spec(), question.finding.first);
    out += "\n";
  }
  return out;
}

std::string as_json(const BoundSpec& kernel, const Findings& findings) {
  nlohmann::json out = {{"verdict", is_clean(findings) ? "clean" : "findings"},
                        {"indices", findings.indices}};
  for (const Question& question : questions(kernel, findings)) {
    nlohmann::json& entry = out[question.name];
    entry["count"] = question.finding.count;
    if (question.finding.count == 0) continue;
    const IndexPlace& first = question.finding.first;
    entry["first"] = {{"position", first.position},
                      {"row", first.row},
                      {"column", first.col},
                      {"index", first.raw}};
  }
  return printed(out);
}

Outcome audit(const KernelOptions& options) {
  const Result<KernelRun> prepared = prepare(options, Purpose::Audit);
  if (!prepared) {
    Outcome out = refused(prepared.error(), options.spec, bind_text(options));
    out.exit = Exit::Unusable;
    return out;
  }
  const Result<Findings> findings = carry_out(*prepared);
  if (!findings) return unusable(findings.error());
  return {.exit = is_clean(*findings) ? Exit::Good : Exit::Broken,
          .output = (options.json ? as_json : as_text)(prepared->kernel, *findings)};
}

}  // namespace

void add_audit(CLI::App& app, Session& session) {
  const auto options = std::make_shared<KernelOptions>();
  Arguments command(app, "audit",
                    "Report indices out of bounds and colliding writes of a kernel's indices");
  add_kernel_options(command, *options);
  command.then([&session, options] {
    run_command(session, [&] { return audit(*options); }, options->json);
  });
}

}  // namespace pto::jit::cli
