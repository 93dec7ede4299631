// Every form of a kernel run in the emulation, complete and without each of its waits: what is
// reported then is what the wait is there for.
#include <algorithm>

#include "ir/interpreter.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/checks/emulation/operand_run.h"
#include "jit/text/source/kernel_text.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kMostSlices = 64;
constexpr std::size_t kMostLater = 8;  // slices of what is reported behind those

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

// The operations that reports speak of: "race: ... (operation 2 on MTE2) ...".
std::vector<std::size_t> reported_in(const std::string& reports) {
  constexpr std::string_view kMark = "(operation ";
  std::vector<std::size_t> out;
  for (std::size_t at = reports.find(kMark); at != std::string::npos;
       at = reports.find(kMark, at + 1))
    out.push_back(std::stoul(reports.substr(at + kMark.size())));
  std::ranges::sort(out);
  const auto [first, last] = std::ranges::unique(out);
  out.erase(first, last);
  return out;
}

// The first slices, and of what is reported some that come later.
void shorten(RunView& run) {
  std::size_t seen = 0;
  std::size_t later = 0;
  std::uint64_t end = 0;
  std::erase_if(run.schedule.slices, [&](const Slice& slice) {
    const bool is_first = seen++ < kMostSlices;
    if (is_first) end = std::max(end, slice.at + slice.blocks);
    return !is_first &&
           !(std::ranges::binary_search(run.reported, slice.operation) && later++ < kMostLater);
  });
  std::erase_if(run.schedule.arrows, [&](const Arrow& arrow) { return arrow.seen >= end; });
}

RunView view_of(const RunRecord& record) {
  RunView out{.schedule = schedule_of(record)};
  out.slices = out.schedule.slices.size();
  out.end = out.schedule.end();
  out.account.add(record);
  out.reports = record.reports;
  out.reported = reported_in(record.reports);
  if (out.slices > kMostSlices) shorten(out);
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
