#include "jit/checks/source_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/calls/index_check.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/checks/emulation/operand_run.h"
#include "jit/files/operand_fit.h"
#include "jit/options/number_text.h"
#include "jit/text/source/kernel_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

// The indices of one run.
struct Attempt {
  IndexPattern pattern;
  std::string name;
};

struct Trial {
  const SourcePlan& plan;
  const HostProgram& program;
  const BoundSpec& bound;
  const CheckInputs& inputs;
};

// What a file has beyond the operand's storage is of no interest here.
Result<Done> fill_from_files(const BoundSpec& bound, const CheckInputs& inputs,
                             const OperandStore& memory) {
  for (const OperandInput& input : inputs.given) {
    const std::span<std::byte> to = memory.bytes_of(input.operand);
    const StorageRequest wanted = {
        input.operand, name_of(bound.spec(), input.operand), static_cast<std::int64_t>(to.size()),
        touched_bytes(bound.spec(), input.operand.role, bound.plan(), memory.frame())};
    const Result<Payload> payload = fit_operand(bound, wanted, input);
    if (!payload) return payload.error();
    const std::span<const std::byte> bytes = payload->storage.bytes;
    std::copy_n(bytes.begin(), std::min(bytes.size(), to.size()), to.begin());
  }
  return check_indices(bound, memory.frame());
}

// Where any of several writers may win, given data have one answer only without collisions.
Result<Done> check_writers(const Trial& trial, const OperandStore& memory) {
  const KernelPlan& meaning = trial.bound.plan();
  const bool is_open = meaning.has_index() && meaning.direction == Direction::ToTable &&
                       meaning.writer == Writer::Any;
  if (!is_open || !is_given(trial.inputs, Role::Data)) return Done{};
  const KernelPlan audited = make_audited_plan(trial.bound.legal());
  const OperandStore copy = memory.copy_for(trial.bound.spec(), audited);
  if (audit_indices(audited, copy.frame()).collisions == 0) return Done{};
  Diagnostic out = error("check.writers", "several writers of one slot, and any of them may win");
  out.rule = "give --in indices without collisions, or leave the data to be made up";
  return out;
}

Result<NamedRun> run_attempt(const Trial& trial, const Attempt& attempt) {
  const std::string& name = attempt.name;
  const BoundSpec& bound = trial.bound;
  const Result<OperandStore> memory = run_operands(bound, trial.inputs, attempt.pattern);
  if (!memory) return memory.error();
  if (const Result<Done> known = check_writers(trial, *memory); !known) return known.error();
  const OperandStore expected = memory->copy_for(bound.spec(), bound.plan());
  interpret(bound.plan(), expected.frame());
  HostCall call = call_on(*memory, trial.plan);
  call.seconds = trial.inputs.seconds;
  Result<RunRecord> record = trial.program.run(call);
  if (!record) return record.error();
  if (!record->reports.empty())
    return error("check.report", "the emulation reports, with " + name + ":\n" + record->reports);
  const std::string found = difference(*memory, expected, bound.spec());
  if (!found.empty())
    return error("check.result",
                 "with " + name + " the kernel leaves other memory than the interpreter: " + found);
  return NamedRun{name, std::move(*record)};
}

// The indices of a file, or else one pattern after the other.
std::vector<Attempt> attempts_at(const KernelPlan& meaning, const CheckInputs& inputs) {
  if (is_given(inputs, Role::Index)) return {{IndexPattern::Sequential, "the given indices"}};
  std::vector<Attempt> out;
  for (const IndexPattern pattern : patterns_for(meaning)) {
    const std::string indices = std::string(name_of(pattern)) + " indices";
    out.push_back({pattern, meaning.has_index() ? indices : "made-up memory"});
  }
  return out;
}

Account account_of(const Checked& checked) {
  Account out;
  for (const NamedRun& run : checked.runs) out.add(run.record);
  return out;
}

std::string describe(const Account& account) {
  std::string out =
      count_text(account.operations, "operation") + ", of them " +
      count_text(account.transfers, "transfer") + ", " + count_text(account.waits, "wait") + ", " +
      count_text(account.barriers, "barrier") + ", " + std::to_string(account.bytes_read) +
      " bytes read and " + std::to_string(account.bytes_written) + " written in global memory";
  for (const auto& [from, to] : account.meetings) out += ", " + from + " met " + to;
  return out;
}

}  // namespace

Result<OperandStore> run_operands(const BoundSpec& bound, const CheckInputs& inputs,
                                  IndexPattern pattern) {
  Result<OperandStore> memory = made_up_operands(bound, pattern);
  if (!memory) return memory;
  if (const Result<Done> filled = fill_from_files(bound, inputs, *memory); !filled)
    return filled.error();
  return memory;
}

bool is_given(const CheckInputs& inputs, Role role) {
  return std::ranges::any_of(
      inputs.given, [role](const OperandInput& input) { return input.operand.role == role; });
}

std::string difference(const OperandStore& actual, const OperandStore& expected,
                       const KernelSpec& spec) {
  for (const OperandStore::Held& held : actual.operands()) {
    const std::span<const std::byte> wrong = held.bytes();
    const std::span<const std::byte> right = expected.bytes_of(held.operand);
    const auto size = static_cast<std::size_t>(size_of(dtype_of(spec, held.operand.role)));
    const auto differ = [&](std::size_t i) {
      return !std::ranges::equal(wrong.subspan(i * size, size), right.subspan(i * size, size));
    };
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = wrong.size() / size; i-- > 0;) {
      if (!differ(i)) continue;
      ++count;
      first = i;
    }
    if (count > 0)
      return std::to_string(count) + " elements of " + held.name + ", the first at " +
             std::to_string(first);
  }
  return "";
}

HostUnit unit_of(const SourcePlan& plan) {
  return {.text = source::harness_head() + source::kernel_text(plan) + source::launch_text(plan) +
                  source::harness_text(plan),
          .flags = source::host_flags(plan)};
}

Result<Checked> check_kernel(const LegalSpec& legal, const SourcePlan& plan, const HostUnit& unit,
                             const CheckInputs& inputs) {
  const Result<BoundSpec> bound = made_up_binding(legal, inputs.bindings);
  if (!bound) return bound.error();
  const Result<HostProgram> program = HostProgram::build(unit);
  if (!program) return program.error();
  Checked out{.compiler = *host_compiler(),
              .spec = print(bound->spec()),
              .is_free_of_warnings = !unit.may_warn};
  if (plan.group && plan.group->is_triggered) return out;
  for (const Attempt& attempt : attempts_at(bound->plan(), inputs)) {
    Result<NamedRun> run = run_attempt({plan, *program, *bound, inputs}, attempt);
    if (!run) return run.error();
    out.runs.push_back(std::move(*run));
  }
  return out;
}

bool is_about_kernel(const Diagnostics& found) {
  return std::ranges::all_of(found, [](const Diagnostic& each) {
    return each.id.starts_with("source.") || each.id == "check.report" || each.id == "check.result";
  });
}

std::string describe(const Checked& checked) {
  const std::string compiled =
      "compiled by " + checked.compiler + (checked.is_free_of_warnings ? " without a warning" : "");
  if (checked.runs.empty()) return compiled + ", not run: the CCU is not emulated";
  const auto runs = static_cast<std::int64_t>(checked.runs.size());
  return compiled + ", run " + count_text(runs, "time") + " in the emulation as " + checked.spec +
         ": nothing reported, memory equal to the interpreter's; " + describe(account_of(checked));
}

nlohmann::json to_json(const Checked& checked) {
  const Account account = account_of(checked);
  nlohmann::json out = {
      {"compiler", checked.compiler},           {"spec", checked.spec},
      {"runs", nlohmann::json::array()},        {"operations", account.operations},
      {"transfers", account.transfers},         {"waits", account.waits},
      {"barriers", account.barriers},           {"bytes_read", account.bytes_read},
      {"bytes_written", account.bytes_written}, {"met", nlohmann::json::array()}};
  for (const NamedRun& run : checked.runs) out["runs"].push_back(run.name);
  for (const auto& [from, to] : account.meetings) out["met"].push_back({from, to});
  return out;
}

}  // namespace pto::jit::cli
