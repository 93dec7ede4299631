#include "jit/tools/explain/explanation.h"

#include <array>

#include "ir/spec_text.h"
#include "jit/tools/explain/views.h"
#include "targets/source_planner.h"
#include "targets/source_words.h"

namespace pto::jit::cli {
namespace {

// Larger ones take longer than anybody wants to wait for a picture.
constexpr std::int64_t kMostBytes = std::int64_t{8} << 20;
constexpr std::string_view kAuditDecision = "0035";

Result<OperandStore> operands_for(const BoundSpec& bound, const ExplainInputs& inputs,
                                  std::int64_t bytes) {
  if (bytes <= kMostBytes) return run_operands(bound, inputs.check, IndexPattern::Mixed);
  return error("explain.size", "operands of " + std::to_string(bytes) +
                                   " bytes are too large for a picture, which takes 8 MB at most");
}

// Indices that an audit may find beyond the end are refused where none looks for them.
void run(Explanation& out, std::vector<PlannedForm>& forms, const BoundSpec& bound,
         const ExplainInputs& inputs) {
  const Result<OperandStore> memory = operands_for(bound, inputs, out.host.bytes);
  if (!memory) {
    out.run_absent = memory.error().front().message;
  } else if (const Result<Done> done = run_forms(forms, bound, *memory); !done) {
    out.run_absent = done.error().front().message;
  }
}

std::string indices_words(const BoundSpec& bound, const ExplainInputs& inputs) {
  if (!bound.plan().has_index()) return "none: the walk itself says where";
  return is_given(inputs.check, Role::Index) ? "the given indices" : "made-up indices";
}

std::string device_words(const LegalSpec& legal, const LegalSpec& device) {
  if (legal.spec() == device.spec()) return "";
  const Diagnostic why = make_source_plan(legal).error().front();
  return why.message + " (" + std::string(kAuditDecision) + "): " + why.rule + ". Shown is " +
         print(device.spec());
}

// Memory, texts and runs of the kernel on its device.
Result<Done> add_device(Explanation& out, const LegalSpec& legal, const ExplainInputs& inputs) {
  const LegalSpec device = on_device(legal);
  const Result<BoundSpec> bound = made_up_binding(device, inputs.check.bindings);
  if (!bound) return bound.error();
  out.device = device_words(legal, device);
  std::vector<PlannedForm> forms = {planned_form(device, false), planned_form(device, true)};
  if (forms[0].plan) out.memory = memory_map(*bound, *forms[0].plan);
  out.run_absent = inputs.is_run ? "" : "left out by --no-run";
  if (inputs.is_run) run(out, forms, *bound, inputs);
  for (PlannedForm& form : forms) out.forms.push_back(std::move(form.view));
  return Done{};
}

}  // namespace

std::string_view name_of(Need need) {
  constexpr std::array<std::string_view, 3> kNames = {"not run", "needed", "not missed"};
  return kNames[static_cast<std::size_t>(need)];
}

Result<Explanation> explain(const LegalSpec& legal, const ExplainInputs& inputs) {
  const Result<BoundSpec> bound = made_up_binding(legal, inputs.check.bindings);
  if (!bound) return bound.error();
  const Result<OperandStore> sizes = OperandStore::make(bound->spec(), bound->plan());
  if (!sizes) return sizes.error();
  const Result<HostView> host = host_view(*bound, *sizes);
  if (!host) return host.error();
  Explanation out{.spec = print(legal.spec()),
                  .bound = print(bound->spec()),
                  .summary = kernel_summary(legal),
                  .plan = steps_of(bound->plan(), legal.spec().op),
                  .work = work_of(*bound, sizes->frame()),
                  .targets = targets_view(*bound, host->bytes),
                  .host = *host};
  out.meaning = meaning_of(*bound, out.work);
  const Result<OperandStore> memory = operands_for(*bound, inputs, host->bytes);
  if (memory) out.move = move_view(*bound, *memory, indices_words(*bound, inputs));
  if (!memory && !inputs.check.given.empty()) return memory.error();
  if (!memory) out.move_absent = memory.error().front().message;
  if (const Result<Done> done = add_device(out, legal, inputs); !done) return done.error();
  return out;
}

}  // namespace pto::jit::cli
