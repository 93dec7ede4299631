#include "jit/doors/cli/kernel_run.h"

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/calls/index_check.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/named_options.h"
#include "jit/files/operand_storage.h"

namespace pto::jit::cli {
namespace {

Findings findings_of(const BoundSpec& kernel, const OperandStore& operands) {
  const AuditWalk& audit = kernel.plan().audit;
  if (!audit.is_on) return {};
  const Frame& frame = operands.frame();
  const auto finding = [&](std::int64_t count, std::int64_t first) -> Finding {
    if (count == 0) return {};
    return {count, index_at(kernel.spec(), frame, first)};
  };
  const AuditReport& report = operands.report();
  return {.indices = value_in(frame, audit.rows) * value_in(frame, audit.cols),
          .out_of_bounds = finding(report.out_of_bounds, report.first_out_of_bounds),
          .collisions = finding(report.collisions, report.first_collision)};
}

}  // namespace

void add_kernel_options(Arguments& command, KernelOptions& options) {
  command.take_spec(options.spec);
  command.take("--in", options.in,
               "NAME=FILE: the storage of an operand, raw or .npy by its ending; the shapes of "
               ".npy files tell the values of each '?' they can");
  command.take("--out", options.out, "NAME=FILE: where the written operand goes");
  command.take("--bind", options.bind,
               "NAME=N,...: values for each '?' of the spec that nothing else tells");
  command.take("--backend", options.backend, parse_backend, "interpreter, xbyak, llvm or auto");
  command.take("--json", options.json, "Machine-readable output");
}

std::string bind_text(const KernelOptions& options) {
  std::string out;
  for (const std::string& text : options.bind) out += (&text == &options.bind[0] ? "" : ",") + text;
  return out;
}

Result<KernelRun> prepare(const KernelOptions& options, Purpose purpose) {
  if (!options.backend) return options.backend.error();
  const Result<Parallel> parallel = parallel_of(options.threads);
  if (!parallel) return parallel.error();
  Result<KernelSpec> spec = parse(options.spec);
  if (!spec) return spec.error();
  if (purpose == Purpose::Audit) spec->audit = true;
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return legal.error();
  const Result<OperandFiles> files = parse_operand_files(*spec, options.in, options.out, purpose);
  if (!files) return files.error();
  const Result<std::vector<Binding>> values = parse_bindings(*spec, bind_text(options));
  if (!values) return values.error();
  const Result<std::vector<OperandInput>> inputs = open_inputs(*spec, *files);
  if (!inputs) return inputs.error();
  const Result<BoundSpec> bound = jit::bind(*legal, with_told_extents(*legal, *values, *inputs));
  if (!bound) return bound.error();
  return KernelRun{*bound, *files, *inputs, *options.backend, *parallel};
}

Result<Findings> carry_out(const KernelRun& run) {
  const BoundSpec& kernel = run.kernel;
  Result<LoadedOperands> operands = LoadedOperands::load(kernel, run.files, run.inputs);
  if (!operands) return operands.error();
  const Frame& frame = operands->store().frame();
  if (Result<Done> checked = check_indices(kernel, frame); !checked) return checked.error();
  const Result<Done> done =
      run_parallel(kernel.legal(), kernel.plan(), frame, {run.parallel, {.backend = run.backend}});
  if (!done) return done.error();
  if (Result<Done> kept = operands->check(); !kept) return kept.error();
  if (Result<Done> filled = operands->fill(); !filled) return filled.error();
  if (Result<Done> named = operands->take_names(); !named) return named.error();
  return findings_of(kernel, operands->store());
}

}  // namespace pto::jit::cli
