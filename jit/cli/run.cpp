// ptojit run: a kernel executed on operands that are files.
#include <memory>

#include "jit/cli/arguments.h"
#include "jit/cli/command.h"
#include "jit/cli/kernel_run.h"

namespace pto::jit::cli {
namespace {

Diagnostics audit_notes(const Findings& findings) {
  Diagnostics out;
  const auto add = [&](const char* id, const Finding& finding, const char* what) {
    if (finding.count == 0) return;
    out.push_back(error(id, std::to_string(finding.count) + what + place_text(finding.first)));
    out.back().severity = Severity::Note;
  };
  add("audit.out_of_bounds", findings.out_of_bounds, " out of bounds, the first at ");
  add("audit.collision", findings.collisions, " collisions, the first at ");
  return out;
}

Outcome run(const KernelOptions& options) {
  const Result<KernelRun> prepared = prepare(options, Purpose::Run);
  if (!prepared) return refused(prepared.error(), options.spec, bind_text(options));
  const Result<Findings> findings = carry_out(*prepared);
  if (!findings) return unusable(findings.error());
  return {.diagnostics = audit_notes(*findings)};
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  const auto options = std::make_shared<KernelOptions>();
  Arguments command(app, "run", "Run a kernel on the host, on operands in files");
  add_kernel_options(command, *options);
  command.then([&session, options] {
    report(session, if_it_fits([&] { return run(*options); }), options->json);
  });
}

}  // namespace pto::jit::cli
