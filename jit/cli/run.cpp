// ptojit run: a kernel executed on operands that are files.
#include <algorithm>
#include <memory>
#include <new>
#include <ostream>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/cli/execute.h"
#include "jit/cli/index_check.h"
#include "jit/cli/operand_files.h"
#include "jit/cli/operand_memory.h"
#include "targets/binding.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

struct RunOptions {
  std::string spec;
  std::vector<std::string> in;
  std::vector<std::string> out;
  std::vector<std::string> bind;
  std::string backend = std::string(kDefaultBackend);
  bool json = false;
};

Ending unusable(const Diagnostics& why, const std::string& text = {}) {
  return {Exit::Unusable, why, text};
}

// Everything that --bind says, as one text.
std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? "," : "") + texts[i];
  return out;
}

std::string place(const BoundKernel& kernel, const Frame& frame, std::int64_t flat) {
  const std::int64_t cols = std::max<std::int64_t>(value_in(frame, kernel.plan.audit.cols), 1);
  return "row " + std::to_string(flat / cols) + ", column " + std::to_string(flat % cols);
}

Diagnostics audit_notes(const BoundKernel& kernel, const Frame& frame) {
  Diagnostics out;
  const auto add = [&](const char* id, std::int64_t count, std::int64_t first, const char* what) {
    if (count == 0) return;
    out.push_back(error(id, std::to_string(count) + what + place(kernel, frame, first)));
    out.back().severity = Severity::Note;
  };
  const AuditReport& report = *frame.report;
  add("audit.out_of_bounds", report.out_of_bounds, report.first_out_of_bounds,
      " out of bounds, the first at ");
  add("audit.collision", report.collisions, report.first_collision, " collisions, the first at ");
  return out;
}

// The kernel on its operands, from files to files.
Ending run_bound(const LegalSpec& legal, const BoundKernel& kernel, const OperandFiles& files,
                 const std::string& backend) {
  Result<OperandMemory> memory = OperandMemory::load(kernel, files);
  if (!memory) return unusable(memory.error());
  Frame frame = memory->frame();
  AuditReport report;
  frame.report = &report;
  Result<Buffer> scratch = Buffer::zeros(scratch_bytes(kernel.plan, frame), "the audit");
  if (!scratch) return unusable(scratch.error());
  frame.scratch = scratch->data();
  if (Result<Done> checked = check_indices(legal, kernel, frame); !checked)
    return unusable(checked.error());
  if (Result<Done> done = execute(backend, legal, frame); !done) return unusable(done.error());
  if (Result<Done> written = write_files(memory->outputs(kernel, files)); !written)
    return unusable(written.error());
  return {Exit::Good, audit_notes(kernel, frame), {}};
}

Ending run(const RunOptions& options) {
  const Result<KernelSpec> spec = parse(options.spec);
  if (!spec) return unusable(spec.error(), options.spec);
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return {Exit::Broken, legal.error(), {}};
  const Result<OperandFiles> files = parse_operand_files(*spec, options.in, options.out);
  if (!files) return unusable(files.error());
  const std::string values = joined(options.bind);
  const Result<std::vector<Binding>> bindings = parse_bindings(*spec, values);
  if (!bindings) return unusable(bindings.error(), values);
  const Result<KernelSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return unusable(bound.error());
  if (Result<Done> kept = verify_bound(*legal, *bound); !kept)
    return {Exit::Broken, kept.error(), {}};
  return run_bound(*legal, {*bound, make_plan(*legal)}, *files, options.backend);
}

// The size of every allocation is up to the user's spec and files.
Ending run_if_it_fits(const RunOptions& options) {
  try {
    return run(options);
  } catch (const std::bad_alloc&) {
    return unusable({out_of_memory("this run")});
  }
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a kernel on the host, on operands in files");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command
      ->add_option("--in", options->in,
                   "NAME=FILE: the whole storage of an operand, raw or .npy by its ending")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "NAME=FILE: where the written operand goes")
      ->allow_extra_args(false);
  command->add_option("--bind", options->bind, "NAME=N,...: values for each '?' of the spec")
      ->allow_extra_args(false);
  command->add_option("--backend", options->backend, "interpreter, xbyak, llvm or auto");
  command->add_flag("--json", options->json, "Machine-readable output");
  command->callback([&session, options] {
    const Ending ending = run_if_it_fits(*options);
    report(session, ending, options->json);
  });
}

}  // namespace pto::jit::cli
