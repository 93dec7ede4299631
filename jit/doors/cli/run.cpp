// ptojit run: a kernel executed on operands that are files, in this process or between several.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "ir/operation.h"
#include "ir/spec_text.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"

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

// Whether mpirun, or another launcher that speaks PMI, started this process as one of several.
bool is_launched() {
  constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
  return std::ranges::any_of(kSigns, [](const char* name) { return std::getenv(name) != nullptr; });
}

bool is_for_ranks(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  return spec && is_collective(spec->op);
}

Outcome run_between(const KernelOptions& options, GroupRunner run_group) {
  if (options.threads.are_given())
    return unusable({error("option.threads",
                           "between processes each rank has one thread; --threads and --parts are "
                           "for a run in one process")});
  if (run_group != nullptr) return run_group(options);
  return unusable({error("run.mpi",
                         "started by a launcher of MPI, but this tool was built without MPI; "
                         "start it alone, and it runs all ranks in one process")});
}

Outcome run(const KernelOptions& options, GroupRunner run_group) {
  if (is_launched() && is_for_ranks(options.spec)) return run_between(options, run_group);
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
  take_threads(command, options->threads);
  command.then([&session, options] {
    run_command(session, [&] { return run(*options, session.run_group); }, options->json);
  });
}

}  // namespace pto::jit::cli
