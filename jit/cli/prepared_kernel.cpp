#include "jit/cli/prepared_kernel.h"

#include <CLI/CLI.hpp>
#include <new>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/execute.h"
#include "jit/cli/index_check.h"
#include "targets/binding.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

Ending unusable(const Diagnostics& why, const std::string& text = {}) {
  return {Exit::Unusable, why, text};
}

// Everything that --bind says, as one text.
std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? "," : "") + texts[i];
  return out;
}

Findings findings_of(const BoundKernel& kernel, const Frame& frame) {
  const AuditWalk& audit = kernel.plan.audit;
  if (!audit.is_on) return {};
  const auto finding = [&](std::int64_t count, std::int64_t first) -> Finding {
    if (count == 0) return {};
    return {count, index_at(kernel.spec, frame, first)};
  };
  const AuditReport& report = *frame.report;
  return {.indices = value_in(frame, audit.rows) * value_in(frame, audit.cols),
          .out_of_bounds = finding(report.out_of_bounds, report.first_out_of_bounds),
          .collisions = finding(report.collisions, report.first_collision)};
}

}  // namespace

void add_kernel_options(CLI::App& command, KernelOptions& options) {
  options.backend = kDefaultBackend;
  command.add_option("SPEC", options.spec, "The spec text")->required();
  command
      .add_option("--in", options.in,
                  "NAME=FILE: the whole storage of an operand, raw or .npy by its ending")
      ->allow_extra_args(false);
  command.add_option("--out", options.out, "NAME=FILE: where the written operand goes")
      ->allow_extra_args(false);
  command.add_option("--bind", options.bind, "NAME=N,...: values for each '?' of the spec")
      ->allow_extra_args(false);
  command.add_option("--backend", options.backend, "interpreter, xbyak, llvm or auto");
  command.add_flag("--json", options.json, "Machine-readable output");
}

std::variant<PreparedKernel, Ending> prepare(const KernelOptions& options, Purpose purpose) {
  Result<KernelSpec> spec = parse(options.spec);
  if (!spec) return unusable(spec.error(), options.spec);
  if (purpose == Purpose::Audit) spec->audit = true;
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return Ending{Exit::Broken, legal.error(), {}};
  const Result<OperandFiles> files = parse_operand_files(*spec, options.in, options.out, purpose);
  if (!files) return unusable(files.error());
  const std::string values = joined(options.bind);
  const Result<std::vector<Binding>> bindings = parse_bindings(*spec, values);
  if (!bindings) return unusable(bindings.error(), values);
  const Result<KernelSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return unusable(bound.error());
  if (Result<Done> kept = verify_bound(*legal, *bound); !kept)
    return Ending{Exit::Broken, kept.error(), {}};
  return PreparedKernel{*legal, {*bound, make_plan(*legal)}, *files};
}

Result<Findings> call_prepared(const PreparedKernel& prepared, const std::string& backend) {
  const BoundKernel& kernel = prepared.kernel;
  Result<OperandMemory> memory = OperandMemory::load(kernel, prepared.files);
  if (!memory) return memory.error();
  Frame frame = memory->frame();
  AuditReport report;
  frame.report = &report;
  Result<Buffer> scratch = Buffer::zeros(scratch_bytes(kernel.plan, frame), "the audit");
  if (!scratch) return scratch.error();
  frame.scratch = scratch->data();
  if (Result<Done> checked = check_indices(prepared.legal, kernel, frame); !checked)
    return checked.error();
  if (Result<Done> done = execute(backend, prepared.legal, frame); !done) return done.error();
  if (Result<Done> written = write_files(memory->outputs(kernel, prepared.files)); !written)
    return written.error();
  return findings_of(kernel, frame);
}

Ending if_it_fits(const std::function<Ending()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return unusable({out_of_memory("this run")});
  }
}

}  // namespace pto::jit::cli
