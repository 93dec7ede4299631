#include "jit/checks/emulation/harness_text.h"

#include "jit/text/source/text_writer.h"
#include "jit/text/source/type_text.h"

namespace pto::jit::source {
namespace {

// Includes nothing that a kernel has to include for itself.
constexpr std::string_view kHead = R"(
#include <pto/emulation/program.hpp>
#include <pto/emulation/target.hpp>
)";

constexpr std::string_view kEntry = R"(
static const pto::emulation::Entry emulated_$name(
    "$name", {pto::kTarget, $bytes, false},
    [](pto::emulation::Call& call) { $function($arguments); });
)";

std::string start_of(const SourcePlan& plan, Start start) {
  if (start == Start::Kernel) return plan.name;
  return (plan.is_launched ? "launch_" : "run_") + plan.name;
}

std::vector<std::string> arguments_of(const SourcePlan& plan, Start start) {
  std::vector<std::string> out;
  const auto pointer = [&](std::string_view type) {
    out.push_back("(__gm__ " + std::string(type) + "*)call.pointer(" + std::to_string(out.size()) +
                  ")");
  };
  for (const TensorPlan& tensor : plan.tensors) pointer(type_name(tensor.dtype));
  if (plan.group) pointer("uint64_t");
  for (std::size_t i = 0; i < plan.extents.size(); ++i)
    out.push_back("call.extents[" + std::to_string(i) + "]");
  if (plan.group) out.push_back(plan.group->is_triggered ? "{}" : std::to_string(plan.group->root));
  if (plan.is_launched && start == Start::Launch) out.emplace_back("nullptr");
  return out;
}

}  // namespace

std::string harness_head() {
  TextWriter out;
  out.lines(kHead);
  return out.take();
}

std::string harness_text(const SourcePlan& plan, Start start) {
  const bool asks_for_all = start == Start::Kernel;
  TextWriter out;
  out.lines(kEntry, {{"name", plan.name},
                     {"bytes", asks_for_all ? "pto::emulation::ub_capacity(pto::kTarget)"
                                            : std::to_string(plan.dynamic_bytes)},
                     {"function", start_of(plan, start)},
                     {"arguments", joined(arguments_of(plan, start))}});
  return out.take();
}

std::string host_flags(const SourcePlan& plan) {
  const bool is_auto = plan.placement == Placement::Auto;
  return std::string(plan.host_flags) + (is_auto ? " -D__PTO_AUTO__" : "");
}

}  // namespace pto::jit::source
