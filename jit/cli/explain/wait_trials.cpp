// Every form of a kernel run in the emulation, complete and without each of its waits: what is
// reported then is what the wait is there for.
#include <algorithm>

#include "ir/interpreter.h"
#include "jit/cli/explain/views.h"
#include "jit/emulation/harness_text.h"
#include "jit/emulation/operand_run.h"
#include "jit/source/kernel_text.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kMostSlices = 64;

// A kernel among the others of its program.
struct Trial {
  SourcePlan plan;
  PlannedForm& form;
  WaitView* wait = nullptr;  // which it lacks; nothing: it is complete
};

std::vector<Trial> trials_of(std::vector<PlannedForm>& forms) {
  std::vector<Trial> out;
  for (PlannedForm& form : forms) {
    if (!form.plan) continue;
    out.push_back({*form.plan, form});
    for (std::size_t i = 0; i < form.without.size(); ++i)
      out.push_back({form.without[i], form, &form.view.waits[i]});
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].plan.name = "k" + std::to_string(i);
  return out;
}

HostUnit unit_of_all(const std::vector<Trial>& trials) {
  HostUnit out{.text = source::harness_head(), .flags = source::host_flags(trials[0].plan)};
  for (const Trial& trial : trials) {
    out.text += source::kernel_text(trial.plan) + source::launch_text(trial.plan) +
                source::harness_text(trial.plan);
  }
  return out;
}

// The operations that "race" reports speak of: "... (operation 2 on MTE2) ...".
std::vector<std::size_t> racing_in(const std::string& reports) {
  constexpr std::string_view kMark = "(operation ";
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < reports.size();) {
    const std::size_t end = std::min(reports.find('\n', at), reports.size());
    const std::string line = reports.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("race: ")) continue;
    for (std::size_t mark = line.find(kMark); mark != std::string::npos;
         mark = line.find(kMark, mark + 1))
      out.push_back(std::stoul(line.substr(mark + kMark.size())));
  }
  std::ranges::sort(out);
  const auto [first, last] = std::ranges::unique(out);
  out.erase(first, last);
  return out;
}

RunView view_of(const RunRecord& record) {
  RunView out{.schedule = schedule_of(record)};
  out.slices = out.schedule.slices.size();
  out.end = out.schedule.end();
  out.account.add(record);
  out.reports = record.reports;
  out.racing = racing_in(record.reports);
  if (out.slices <= kMostSlices) return out;
  out.schedule.slices.resize(kMostSlices);
  const std::uint64_t shown = out.schedule.end();
  std::erase_if(out.schedule.arrows, [&](const Arrow& arrow) { return arrow.seen >= shown; });
  return out;
}

void judge(WaitView& wait, const RunRecord& record, const std::string& differs) {
  wait.found = record.reports.substr(0, record.reports.find('\n'));
  if (wait.found.empty() && !differs.empty()) wait.found = "other memory: " + differs;
  wait.need = wait.found.empty() ? Need::NotMissed : Need::Proved;
  if (wait.need == Need::Proved) wait.without = view_of(record);
}

}  // namespace

Result<Done> run_forms(std::vector<PlannedForm>& forms, const BoundSpec& bound,
                       const OperandStore& memory) {
  std::vector<Trial> trials = trials_of(forms);
  if (trials.empty()) return error("explain.run", "there is no text for a device to run");
  if (trials[0].plan.group && trials[0].plan.group->is_triggered)
    return error("explain.run", "the CCU is not emulated");
  const Result<HostProgram> program = HostProgram::build(unit_of_all(trials));
  if (!program) return program.error();
  const OperandStore expected = memory.copy_for(bound.spec(), bound.plan());
  interpret(bound.plan(), expected.frame());
  for (Trial& trial : trials) {
    const OperandStore own = memory.copy_for(bound.spec(), bound.plan());
    const Result<RunRecord> record = program->run(call_on(own, trial.plan));
    if (!record) return record.error();
    const std::string differs = difference(own, expected, bound.spec());
    if (trial.wait != nullptr) {
      judge(*trial.wait, *record, differs);
    } else {
      trial.form.view.run = view_of(*record);
      trial.form.view.run->reports += differs;
    }
  }
  return Done{};
}

}  // namespace pto::jit::cli
