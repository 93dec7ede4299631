// The parts an explanation is made of, each from what knows it.
#pragma once

#include "jit/options/number_text.h"
#include "jit/tools/explain/explanation.h"
#include "runtime/operands.h"
#include "targets/binding.h"
#include "targets/source_plan.h"

namespace pto::jit::cli {

// What a kernel does, as one paragraph (meaning.cpp).
std::string meaning_of(const BoundSpec& bound, const Work& work);

// What becomes of an index beyond the end. A gather that skips what it has cleared leaves zeros.
Oob policy_of(const KernelPlan& plan);

// memory_map.cpp
MemoryMap memory_map(const BoundSpec& bound, const SourcePlan& plan);
Work work_of(const BoundSpec& bound, const Frame& frame);

// The kernel as a device has it: an audit is the host's (forms.cpp).
LegalSpec on_device(const LegalSpec& legal);

// target_views.cpp
TargetsView targets_view(const BoundSpec& bound, std::int64_t bytes);

// host_view.cpp
Result<HostView> host_view(const BoundSpec& bound, const OperandStore& memory);

// moves.cpp
MoveView move_view(const BoundSpec& bound, const OperandStore& memory, std::string indices);

// The text of a form and its waits, not yet run; or why there is none (forms.cpp).
struct PlannedForm {
  FormView view;
  std::optional<SourcePlan> plan = {};
  std::vector<SourcePlan> without = {};  // one plan for each wait, which it lacks
};
PlannedForm planned_form(const LegalSpec& legal, bool is_expanded);

// Runs every form, complete and without each of its waits, on the same memory (wait_trials.cpp).
Result<Done> run_forms(std::vector<PlannedForm>& forms, const BoundSpec& bound,
                       const OperandStore& memory);

}  // namespace pto::jit::cli
